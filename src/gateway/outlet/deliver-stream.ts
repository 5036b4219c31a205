import type { ServerResponse } from 'node:http'
import type { Codec, SseEvent } from '../../codecs/index.ts'
import { PrehendError } from '../../core/index.ts'
import { toPrehendError } from '../http/respond.ts'
import type { Client } from './client.ts'
import type { FilterChain } from './filter-chain.ts'
import { filterStream } from './filter-stream.ts'
import type { StreamFilter } from './filter-stream.ts'
import type { Reply, ReplyEnd } from './reply.ts'
import { encodedEvents, writeHead, writeOut } from './write-out.ts'

/** A stream as it comes. Once it has begun it ends in an error event rather than in an exception. */
export async function deliverStream(client: Client, reply: Reply, chain: FilterChain | undefined): Promise<ReplyEnd> {
  const { response, signal, codec } = client
  writeHead(response, reply.status, { ...reply.headers, ...client.headers, 'cache-control': 'no-cache' })
  // Headers go with the first bytes where those are there already, which saves a packet, and alone where they are not.
  setImmediate(() => response.flushHeaders())
  const watch = watched(codec, reply)
  let failure: PrehendError | undefined
  try {
    await relay(response, { reply, watch, filter: chain && filterStream(codec.textPlaces, chain) })
  } catch (error) {
    failure = signal.aborted ? clientGone() : toPrehendError(error)
  }
  const { usage, failure: told } = watch.report()
  failure ??= told
  if (failure && !signal.aborted)
    await writeOut(response, encodedEvents(codec.encodeStreamError(failure, client.requestId)))
  response.end()
  return { status: reply.status, isAbandoned: signal.aborted, ...(usage && { usage }), ...(failure && { failure }) }
}

interface Relay {
  readonly reply: Reply
  readonly watch: Watch
  readonly filter: StreamFilter | undefined
}

/** What one read brings goes out in one piece. */
async function relay(response: ServerResponse, { reply, watch, filter }: Relay): Promise<void> {
  for await (const { bytes, events } of reply.pieces) {
    if (filter) await write(response, await filter.events(events))
    else if (bytes === undefined) await write(response, events)
    else await writeOut(response, bytes)
    watch.read(events)
  }
  if (filter) await write(response, await filter.end())
}

async function write(response: ServerResponse, events: readonly SseEvent[]): Promise<void> {
  if (events.length > 0) await writeOut(response, encodedEvents(events))
}

interface Watch {
  read(events: readonly SseEvent[]): void
  report(): Pick<ReplyEnd, 'usage' | 'failure'>
}

/** Reads on the side what a stream reports, unless the reply knows. */
function watched(codec: Codec, { report }: Reply): Watch {
  if (report) return { read: () => undefined, report }
  const reducer = codec.reducer()
  let state = reducer.initial
  return {
    read: (events) => {
      for (const event of events) if (reducer.reports(event)) state = reducer.step(state, event)
    },
    report: () => {
      const { usage } = reducer.reply(state)
      return { ...(usage && { usage }), ...(!state.ended && { failure: brokenOff() }) }
    },
  }
}

/** A stream that came to no end. */
export function brokenOff(): PrehendError {
  const remedy = 'Send the request again.'
  return new PrehendError('upstream-broken', `The provider's stream broke off before its end. ${remedy}`, { remedy })
}

function clientGone(): PrehendError {
  const remedy = 'Nothing needs to be done.'
  return new PrehendError('upstream-broken', 'The client closed the connection.', { remedy })
}
