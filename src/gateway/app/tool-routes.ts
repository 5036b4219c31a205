import { ServerResponse } from 'node:http'
import {
  answerPutTool,
  answerRemoveTool,
  answerTool,
  answerToolCall,
  answerToolCalls,
  answerTools,
  toolClient,
} from '../api/answers/tools.ts'
import {
  callTool,
  listToolCalls,
  listTools,
  putTool,
  removeTool,
  showTool,
  showToolClient,
} from '../api/routes/tool-routes.ts'
import { serveOther, serveRoute } from '../api/serve-route.ts'
import type { RouteHost, Served } from '../api/serve-route.ts'
import { probeBeforeAnswer } from '../http/half-closed.ts'
import type { ServingParts } from '../parts.ts'
import { tracedTool } from './traced-tool.ts'

/** The registry of tools. */
export function addToolRoutes(host: RouteHost, parts: ServingParts): void {
  serveRoute(host, listTools, (asked) => answerTools(parts, asked))
  serveRoute(host, showTool, (asked) => answerTool(parts, asked))
  serveRoute(host, putTool, (asked) => answerPutTool(parts, asked))
  serveRoute(host, removeTool, (asked) => answerRemoveTool(parts, asked))
  serveRoute(host, callTool, (asked, c) =>
    tracedTool(parts.tracing, c, () => answerToolCall(parts, asked, goneSignal(c))),
  )
  serveRoute(host, listToolCalls, (asked) => answerToolCalls(parts, asked))
  serveOther(host, showToolClient, async (asked, c) => c.text(await toolClient(parts, asked)))
}

/** Aborted when the client leaves before it has its answer. */
function goneSignal({ env: { outgoing } }: Served): AbortSignal {
  const gone = new AbortController()
  if (outgoing instanceof ServerResponse) probeBeforeAnswer(outgoing)
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  return gone.signal
}
