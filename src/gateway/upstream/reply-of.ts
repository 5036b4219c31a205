import { sseParser } from '../../codecs/index.ts'
import type { UpstreamReply } from '../../providers/index.ts'
import { responseHeaders } from '../http/forward-headers.ts'
import type { Reply, ReplyPiece } from '../outlet/reply.ts'

/** A provider's answer as a reply: the one way in which anything comes back from upstream. */
export function replyOf({ status, headers, body }: UpstreamReply, form: Reply['form']): Reply {
  const requestId = headers['x-request-id']
  return {
    status,
    headers: {
      ...responseHeaders(headers),
      // Who asks the provider about a refusal needs its name for it.
      ...(form === 'raw' && typeof requestId === 'string' && { 'x-request-id': requestId }),
    },
    form,
    pieces: form === 'stream' ? streamed(body) : form === 'whole' ? whole(body) : raw(body),
    filters: [],
  }
}

/** In which form a provider of a known dialect has answered. */
export function formOf({ status, headers }: UpstreamReply): Reply['form'] {
  if (status < 200 || status >= 300) return 'raw'
  const type = headers['content-type']
  return typeof type === 'string' && type.startsWith('text/event-stream') ? 'stream' : 'whole'
}

async function* streamed(body: UpstreamReply['body']): AsyncGenerator<ReplyPiece> {
  const parser = sseParser()
  for await (const bytes of body) yield { bytes, events: parser.push(bytes) }
  const events = parser.end()
  if (events.length > 0) yield { bytes: nothing, events }
}

/** The bytes of an event whose end never came have been passed on already. */
const nothing = new Uint8Array()

async function* whole(body: UpstreamReply['body']): AsyncGenerator<ReplyPiece> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  yield { bytes, events: [{ data: bytes.toString('utf8') }] }
}

async function* raw(body: UpstreamReply['body']): AsyncGenerator<ReplyPiece> {
  for await (const bytes of body) yield { bytes, events: [] }
}
