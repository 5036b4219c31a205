import {
  answerArtifact,
  answerArtifactByHash,
  answerArtifacts,
  answerDrop,
  answerHold,
  answerPut,
} from '../api/answers/artifacts.ts'
import {
  dropOneArtifact,
  holdOneArtifact,
  listAllArtifacts,
  putOneArtifact,
  showArtifact,
  showArtifactByHash,
} from '../api/routes/artifact-routes.ts'
import { serveOther, serveRoute } from '../api/serve-route.ts'
import type { RouteHost, Served } from '../api/serve-route.ts'
import type { ServingParts } from '../parts.ts'

export interface ArtifactRouteHost extends RouteHost {
  /** The body of a request, whatever it is. Rejects with `body-too-large`. */
  artifactOf(c: Served, tenant: string): Promise<Uint8Array>
}

/** Bytes that tools and tasks keep beside the context. */
export function addArtifactRoutes(host: ArtifactRouteHost, parts: ServingParts): void {
  serveRoute(host, putOneArtifact, async (asked, c) => {
    return answerPut(parts, asked, { c, bytes: await host.artifactOf(c, asked.tenant) })
  })
  serveOther(host, showArtifactByHash, (asked, c) => answerArtifactByHash(parts, asked, c))
  serveOther(host, showArtifact, (asked, c) => answerArtifact(parts, asked, c))
  serveRoute(host, dropOneArtifact, (asked) => answerDrop(parts, asked))
  serveRoute(host, holdOneArtifact, (asked) => answerHold(parts, asked))
  serveRoute(host, listAllArtifacts, (asked) => answerArtifacts(parts, asked))
}
