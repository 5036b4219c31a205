import type { UpstreamReply } from '../providers/index.ts'
import { responseHeaders } from './forward-headers.ts'
import { writeOut } from './write-out.ts'
import type { Turn, TurnEnd } from './turn.ts'

/** Delivers a refusal of the provider word for word, with its headers. */
export async function deliverAsItCame(turn: Turn, reply: UpstreamReply): Promise<TurnEnd> {
  const { response } = turn
  const requestId = reply.headers['x-request-id']
  response.writeHead(reply.status, {
    ...responseHeaders(reply.headers),
    ...(turn.headers as Record<string, string>),
    ...(typeof requestId === 'string' && { 'x-request-id': requestId }),
  })
  for await (const chunk of reply.body) await writeOut(response, chunk)
  response.end()
  return { status: reply.status, rehydrations: 0 }
}
