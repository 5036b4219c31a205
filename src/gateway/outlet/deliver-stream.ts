import type { Codec, SseEvent } from '../../codecs/index.ts'
import { PrehendError } from '../../core/index.ts'
import { toPrehendError } from './respond.ts'
import { hasLeft } from './client.ts'
import type { Client } from './client.ts'
import type { FilterChain } from './filter-chain.ts'
import { filterStream } from './filter-stream.ts'
import type { StreamFilter } from './filter-stream.ts'
import { gatheredWrites } from './gathered-writes.ts'
import type { GatheredWrites } from './gathered-writes.ts'
import type { Reply, ReplyEnd } from './reply.ts'
import type { ReplyEar } from './reply-ear.ts'
import { streamWatch } from './stream-watch.ts'
import type { StreamWatch } from './stream-watch.ts'
import { encodedEvents, writeHead } from './write-out.ts'

/**
 * A stream as it comes, in whole events. Once it has begun it ends in an error event rather than in an exception, unless
 * the answer is whole.
 */
export async function deliverStream(client: Client, reply: Reply, chain: FilterChain | undefined): Promise<ReplyEnd> {
  const { response, signal, codec, ear, unasked } = client
  writeHead(response, reply.status, { ...reply.headers, ...client.headers, 'cache-control': 'no-cache' })
  // Headers go with the first bytes where those are there already, which saves a packet, and alone where they are not.
  setImmediate(() => response.flushHeaders())
  client.streams()
  const watch = reply.report ? undefined : streamWatch(codec)
  let failure: PrehendError | undefined
  const sent = lastNumber(codec)
  const writes = gatheredWrites(response, signal)
  try {
    await relay({ reply, watch, sent, writes, ear, unasked, filter: chain && filterStream(codec.textPlaces, chain) })
  } catch (error) {
    failure = hasLeft(signal) ? clientGone() : toPrehendError(error)
  }
  const { usage, failure: told, said } = (reply.report ?? watch?.report)?.() ?? {}
  failure ??= told
  const isAbandoned = hasLeft(signal)
  if (failure && !isAbandoned) void write(writes, sent.goOn(codec.encodeStreamError(failure, client.requestId)))
  await writes.flush()
  response.end()
  failure ??= said
  return { status: reply.status, isAbandoned, ...(usage && { usage }), ...(failure && { failure }) }
}

interface Relay {
  readonly reply: Reply
  /** Absent where the reply knows by itself how it went. */
  readonly watch: StreamWatch | undefined
  readonly filter: StreamFilter | undefined
  readonly sent: LastNumber
  readonly writes: GatheredWrites
  readonly ear: ReplyEar | undefined
  readonly unasked: Client['unasked']
}

/** What one read brings goes out in one piece, and with it what others bring right behind it. */
async function relay({ reply, watch, filter, sent, writes, ear, unasked }: Relay): Promise<void> {
  for await (const { bytes, events } of reply.pieces) {
    const asked = unasked ? events.filter((event) => !unasked(event)) : events
    const told = filter ? await filter.events(asked) : asked
    sent.note(told)
    ear?.events(told)
    const isAsItCame = !filter && asked.length === events.length
    const writing = isAsItCame && bytes !== undefined ? writes.write(bytes) : write(writes, told)
    if (writing) await writing
    watch?.read(events)
  }
  if (!filter) return
  const rest = await filter.end()
  sent.note(rest)
  ear?.events(rest)
  await write(writes, rest)
}

/** Where a dialect numbers its events: those of ours go on from the last that was sent. */
interface LastNumber {
  note(events: readonly SseEvent[]): void
  goOn(events: readonly SseEvent[]): readonly SseEvent[]
}

function lastNumber({ textPlaces }: Codec): LastNumber {
  const { numberOf, numbered } = textPlaces
  let last: readonly SseEvent[] = []
  return {
    note(events) {
      if (numberOf && events.some(({ comment }) => comment === undefined)) last = events
    },
    goOn(events) {
      const numbers = last.flatMap((event) => numberOf?.(event) ?? [])
      const next = (numbers.at(-1) ?? -1) + 1
      return numbered ? events.map((event, index) => numbered(event, next + index)) : events
    },
  }
}

function write(writes: GatheredWrites, events: readonly SseEvent[]): Promise<void> | undefined {
  return events.length === 0 ? undefined : writes.write(encodedEvents(events))
}

function clientGone(): PrehendError {
  const remedy = 'Nothing needs to be done.'
  return new PrehendError('upstream-broken', 'The client closed the connection.', { remedy })
}
