import type { z } from 'zod'
import { artifactUri } from '../../../sessions/index.ts'
import type { Artifact } from '../../../stores/index.ts'
import type { Answered } from '../route.ts'
import type { artifact as artifactShape } from '../schemas/artifacts.ts'

/** An artifact as it is answered. */
export type ShownArtifact = Answered<z.output<typeof artifactShape>>

/** An artifact as routes show it: with its URI, and without its tenant. */
export function shownArtifact({ tenant: _tenant, path, ...rest }: Artifact): ShownArtifact {
  return { uri: artifactUri(path), ...rest }
}
