import { sseReader } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { UpstreamReply } from '../../providers/index.ts'
import type { GatewayConfig } from '../config.ts'
import { responseHeaders } from './forward-headers.ts'
import type { Reply, ReplyPiece } from '../outlet/reply.ts'
import { streamWatch } from '../outlet/stream-watch.ts'
import type { StreamWatch } from '../outlet/stream-watch.ts'
import { contentClock } from './content-clock.ts'
import { replyTooLong, unknownEncoding } from '../outlet/unreadable.ts'

export type ReplyLimits = Pick<GatewayConfig['limits'], 'eventBytes' | 'replyBytes'>

export interface ReplyOptions {
  readonly form: Reply['form']
  readonly codec: Codec
  readonly limits: ReplyLimits
  /** Longest that a stream may bring nothing but signs of life; any time by default. */
  readonly contentMs?: number
}

/**
 * A provider's answer as a reply: the one way in which anything comes back from upstream. The pieces of a stream are whole
 * events, and end only where the answer is whole; reading them rejects where it is not.
 */
export function replyOf(answer: UpstreamReply, { form, codec, limits, contentMs = Infinity }: ReplyOptions): Reply {
  const { status, headers, body } = answer
  const watch = form === 'stream' ? streamWatch(codec) : undefined
  const encoding = headers['content-encoding']
  let problem = encoding === undefined ? undefined : unknownEncoding(encoding)
  return {
    status,
    headers: { ...responseHeaders(headers), ...(encoding !== undefined && { 'content-encoding': encoding }) },
    form,
    pieces: watch
      ? streamed(body, { watch, limits, contentMs })
      : asItComes(body, limits, () => {
          problem ??= replyTooLong(limits.replyBytes)
        }),
    filters: [],
    unreadable: () => problem,
    ...(watch && { report: watch.report }),
  }
}

/** An answer, and the form in which a provider of a known dialect has given it. */
export interface FormedAnswer {
  readonly answer: UpstreamReply
  readonly form: Reply['form']
}

/** Servers give streams other types, or none: where a stream was asked for, its first bytes tell. */
export async function formed(answer: UpstreamReply, wantsStream: boolean): Promise<FormedAnswer> {
  const { status, headers, body } = answer
  if (status < 200 || status >= 300 || headers['content-encoding'] !== undefined) return { answer, form: 'raw' }
  const type = headers['content-type']
  if (typeof type === 'string' && type.startsWith('text/event-stream')) return { answer, form: 'stream' }
  if (!wantsStream) return { answer, form: 'whole' }
  const chunks = body[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let begun = ''
  while (begun.trim() === '') {
    const next = await chunks.next()
    if (next.done === true) break
    first.push(next.value)
    begun += new TextDecoder().decode(next.value)
  }
  const isStream = /^\uFEFF?\s*(?:data|event|id|retry)?:/.test(begun)
  return { answer: { ...answer, body: after(first, chunks) }, form: isStream ? 'stream' : 'whole' }
}

async function* after(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  try {
    yield* first
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

interface StreamOptions extends Required<Pick<ReplyOptions, 'limits' | 'contentMs'>> {
  readonly watch: StreamWatch
}

/** How the connection ends does not matter once the answer is whole: some servers hold it open, or break it off. */
async function* streamed(
  body: UpstreamReply['body'],
  { watch, limits, contentMs }: StreamOptions,
): AsyncGenerator<ReplyPiece> {
  const reader = sseReader(limits)
  const clock = contentClock(contentMs)
  const chunks = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await (watch.hasEnded() ? withinLinger(chunks.next()) : clock.next(chunks.next()))
      if (next === undefined || next.done === true) break
      const frames = reader.push(next.value)
      if (frames.bytes.length === 0) continue
      watch.read(frames.events)
      clock.heard(frames.events)
      yield frames
    }
  } catch (error) {
    if (watch.report().failure) throw error
  } finally {
    // It may wait for what it was asked for last; nobody else waits any more.
    chunks.return?.().catch(() => undefined)
  }
  const { failure } = watch.report()
  if (failure) throw failure
}

/** A connection that ends right after its stream can be used again. */
const lingerMs = 250

/** Undefined where nothing came in time. */
async function withinLinger<Value>(coming: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), lingerMs)
  })
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Tells, before it gives the piece with which that is so, that a body has become longer than what may be held. */
function asItComes(
  body: UpstreamReply['body'],
  { replyBytes }: ReplyLimits,
  isTooLong: () => void,
): AsyncIterable<ReplyPiece> {
  let length = 0
  const pieceOf = ({ done, value }: IteratorResult<Uint8Array, undefined>): IteratorResult<ReplyPiece, undefined> => {
    if (done === true) return ended
    length += value.length
    if (length > replyBytes) isTooLong()
    return { value: { bytes: value, events: [] } }
  }
  // Most replies are one piece; a generator takes longer to begin and to end than they take.
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]()
      return {
        next: () => chunks.next().then(pieceOf),
        return: async () => {
          await chunks.return?.()
          return ended
        },
      }
    },
  }
}

const ended = { done: true, value: undefined } as const
