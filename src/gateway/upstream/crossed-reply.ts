import { failureStatus, namingCalls, readingTextCalls, saidReply } from '../../codecs/index.ts'
import type { Codec, ReplyFrame, ReplyReader, SseEvent } from '../../codecs/index.ts'
import { PrehendError } from '../../core/index.ts'
import type { Conversation, Loss, ReplyEvent, SaidReply, Usage } from '../../core/index.ts'
import { heuristicTokenizer } from '../../tokens/index.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { bodyOf, isSuccess, readOrPass, streamReply, wholeReply } from '../outlet/reply.ts'
import type { Reply, ReplyPiece } from '../outlet/reply.ts'
import type { Crossing } from './crossing.ts'
import { endedIn } from '../outlet/stream-watch.ts'

/** A reply that came in another dialect, as the client's own has it. */
export function crossedReply(exchange: Exchange, crossing: Crossing, reply: Reply): Promise<Reply> | Reply {
  if (!isSuccess(reply)) return refused(exchange, crossing.codec, reply)
  const reader = readerOf(exchange, crossing)
  return reply.form === 'stream' ? streamed(exchange, reader, reply) : whole(exchange, reader, reply)
}

function frameOf({ id, conversation, receivedMs, codec, received, promptTokens }: Exchange): ReplyFrame {
  const tellsUsage = codec.streamUsage?.isWanted(received.exchange) ?? true
  return {
    id,
    model: conversation.model,
    createdMs: receivedMs,
    tellsUsage,
    countInput: () => promptTokens ?? roughCount(conversation),
  }
}

/** Of a request that no session has planned. */
function roughCount({ items }: Conversation): number {
  return items.reduce((sum, { text, tokens }) => sum + (tokens ?? heuristicTokenizer.count(text)), 0)
}

const anyId = { refused: /[^\x21-\x7e]/g, mostChars: 128 }

/** Text tools are known by the client's names. */
function readerOf({ conversation, codec, id }: Exchange, { codec: from, names, callIds }: Crossing): ReplyReader {
  const options = { names, ids: codec.callIds ?? anyId, taken: callIds, replyId: id }
  return readingTextCalls(namingCalls(from.replyReader, options), conversation)
}

async function whole(exchange: Exchange, reader: ReplyReader, reply: Reply): Promise<Reply> {
  const told = reader.whole((await bodyOf(reply)).text)
  const said = saidReply(told)
  if (said.failure) return failed(exchange, reply, said.failure)
  exchange.trace.lose(said.lost)
  if (exchange.conversation.stream) return asStream(exchange, reply, told)
  const text = exchange.codec.replyWriter.whole(said, frameOf(exchange))
  const { usage } = said
  return wholeReply({ text }, { ...headed(reply), report: () => ({ ...(usage && { usage }) }) })
}

/** An error that came with the status of an answer. */
function failed({ codec, id }: Exchange, reply: Reply, failure: NonNullable<SaidReply['failure']>): Reply {
  const body = codec.encodeError(endedIn(failure), id)
  const { headers } = headed(reply)
  return {
    ...wholeReply({ text: body, bytes: Buffer.from(body) }, { status: failureStatus(failure), headers }),
    form: 'raw',
  }
}

/** A whole reply where the client has asked for a stream. */
function asStream(exchange: Exchange, { status, headers }: Reply, told: readonly ReplyEvent[]): Reply {
  const { replyWriter: writer } = exchange.codec
  let state = writer.begin(frameOf(exchange))
  const events = told.flatMap((event) => {
    const step = writer.step(state, event)
    state = step.state
    return step.events
  })
  const { usage } = saidReply(told)
  const report = () => ({ ...(usage && { usage }) })
  return streamReply(events, { status, headers: { ...headers, 'content-type': 'text/event-stream' }, report })
}

/** In the client's own dialect: a stream, where the client has asked for one and the provider has sent a whole reply. */
export async function asAsked(exchange: Exchange, reply: Reply): Promise<Reply> {
  const { codec, conversation, wire } = exchange
  // Clients of Gemini may ask for a stream as one list.
  const isList = wire.dialect === 'gemini' && !wire.path.includes('alt=sse')
  if (reply.form !== 'whole' || !isSuccess(reply) || !conversation.stream || isList) return reply
  const body = await readOrPass(reply)
  if ('problem' in body) return { ...reply, pieces: body.pieces }
  try {
    return asStream(exchange, reply, codec.replyReader.whole(body.text))
  } catch {
    return wholeReply(body, reply)
  }
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

function streamed(exchange: Exchange, reader: ReplyReader, reply: Reply): Reply {
  const told: { usage?: Usage | undefined } = {}
  return {
    ...reply,
    headers: { ...reply.headers, 'content-type': 'text/event-stream' },
    pieces: crossedPieces(exchange, reader, reply, told),
    report: () => ({ ...(told.usage && { usage: told.usage }) }),
  }
}

async function* crossedPieces(
  exchange: Exchange,
  reader: ReplyReader,
  reply: Reply,
  told: { usage?: Usage | undefined },
): AsyncGenerator<ReplyPiece> {
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
