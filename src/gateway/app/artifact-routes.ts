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
  /** The body of a request, whatever it is, as it comes. Throws `body-too-large`. */
  artifactOf(c: Served, tenant: string): AsyncIterable<Uint8Array>
  /** Reads what is left of a body, so that the client hears the answer. */
  discard(c: Served): Promise<void>
}

/** Bytes that tools and tasks keep beside the context. */
export function addArtifactRoutes(host: ArtifactRouteHost, parts: ServingParts): void {
  serveRoute(host, putOneArtifact, async (asked, c) => {
    try {
      return await answerPut(parts, asked, { c, bytes: host.artifactOf(c, asked.tenant) })
    } catch (error) {
      await host.discard(c)
      throw error
    }
  })
  serveOther(host, showArtifactByHash, (asked, c) => answerArtifactByHash(parts, asked, c))
  serveOther(host, showArtifact, (asked, c) => answerArtifact(parts, asked, c))
  serveRoute(host, dropOneArtifact, (asked) => answerDrop(parts, asked))
  serveRoute(host, holdOneArtifact, (asked) => answerHold(parts, asked))
  serveRoute(host, listAllArtifacts, (asked) => answerArtifacts(parts, asked))
}
