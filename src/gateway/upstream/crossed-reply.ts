import { readingTextCalls, saidReply } from '../../codecs/index.ts'
import type { Codec, ReplyFrame, ReplyReader, SseEvent } from '../../codecs/index.ts'
import { PrehendError } from '../../core/index.ts'
import type { Loss, ReplyEvent, Usage } from '../../core/index.ts'
import type { Exchange } from '../layers/exchange.ts'
import { bodyOf, isSuccess, wholeReply } from '../outlet/reply.ts'
import type { Reply, ReplyPiece } from '../outlet/reply.ts'
import { endedIn } from '../outlet/stream-watch.ts'

/** A reply that came in another dialect, as the client's own has it. */
export function crossedReply(exchange: Exchange, from: Codec, reply: Reply): Promise<Reply> | Reply {
  if (!isSuccess(reply)) return refused(exchange, from, reply)
  if (reply.form === 'stream') return streamed(exchange, from, reply)
  return whole(exchange, from, reply)
}

function frameOf({ id, conversation, receivedMs, codec, received }: Exchange): ReplyFrame {
  const tellsUsage = codec.wantsUsage?.(received.exchange) ?? true
  return { id, model: conversation.model, createdMs: receivedMs, tellsUsage }
}

function readerOf({ conversation }: Exchange, { replyReader }: Codec): ReplyReader {
  return readingTextCalls(replyReader, conversation)
}

async function whole(exchange: Exchange, from: Codec, reply: Reply): Promise<Reply> {
  const said = saidReply(readerOf(exchange, from).whole((await bodyOf(reply)).text))
  if (said.failure) throw endedIn(said.failure)
  exchange.trace.lose(said.lost)
  const text = exchange.codec.replyWriter.whole(said, frameOf(exchange))
  const { usage } = said
  return wholeReply({ text }, { ...headed(reply), report: () => ({ ...(usage && { usage }) }) })
}

function headed({ status, headers }: Reply): Pick<Reply, 'status' | 'headers'> {
  return { status, headers: { ...headers, 'content-type': 'application/json' } }
}

/** What the provider says against a request, in the words of the client's dialect. */
async function refused({ codec, id }: Exchange, from: Codec, reply: Reply): Promise<Reply> {
  const { status } = reply
  const { text } = await bodyOf(reply)
  const remedy = 'Read what the provider says.'
  const error = new PrehendError('upstream-refused', text, { status, said: messageOnly(from, text), remedy })
  const body = codec.encodeError(error, id)
  return { ...wholeReply({ text: body, bytes: Buffer.from(body) }, headed(reply)), form: 'raw' }
}

/** Names of errors are a dialect's own, its words are not. */
function messageOnly(from: Codec, text: string): string {
  try {
    const { failure } = from.decodeReply(text)
    return JSON.stringify({ error: { message: failure?.message ?? text } })
  } catch {
    return text
  }
}

function streamed(exchange: Exchange, from: Codec, reply: Reply): Reply {
  const told: { usage?: Usage | undefined } = {}
  return {
    ...reply,
    headers: { ...reply.headers, 'content-type': 'text/event-stream' },
    pieces: crossedPieces(exchange, from, reply, told),
    report: () => ({ ...(told.usage && { usage: told.usage }) }),
  }
}

async function* crossedPieces(
  exchange: Exchange,
  from: Codec,
  reply: Reply,
  told: { usage?: Usage | undefined },
): AsyncGenerator<ReplyPiece> {
  const reader = readerOf(exchange, from)
  const { replyWriter: writer } = exchange.codec
  let reading = reader.initial
  let writing = writer.begin(frameOf(exchange))
  const lost: Loss[] = []

  function written(said: readonly ReplyEvent[]): readonly SseEvent[] {
    const events: SseEvent[] = []
    for (const event of said) {
      if (event.kind === 'failed') throw endedIn(event.failure)
      if (event.kind === 'lost') lost.push(event.loss)
      if (event.kind === 'end') told.usage = event.usage
      const step = writer.step(writing, event)
      writing = step.state
      events.push(...step.events)
    }
    return events
  }

  try {
    for await (const { events } of reply.pieces) {
      const said: ReplyEvent[] = []
      for (const event of events) {
        const step = reader.step(reading, event)
        reading = step.state
        said.push(...step.events)
      }
      const out = written(said)
      if (out.length > 0) yield { events: out }
    }
    const last = written(reader.close(reading))
    if (last.length > 0) yield { events: last }
  } finally {
    exchange.trace.lose(lost)
  }
}
