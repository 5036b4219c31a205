import type { Codec, SseEvent } from '../../../codecs/index.ts'
import type { ReplySaid, ReplyWords } from '../../../core/index.ts'
import { filterChain } from '../../outlet/filter-chain.ts'
import type { FilterChain } from '../../outlet/filter-chain.ts'
import { bodyReport, filterBody } from '../../outlet/filter-body.ts'
import { filterStream } from '../../outlet/filter-stream.ts'
import { readOrPass, streamReply, wholeReply } from '../../outlet/reply.ts'
import type { Reply, ReplyReport } from '../../outlet/reply.ts'
import { streamWatch } from '../../outlet/stream-watch.ts'
import { replyTooLong } from '../../outlet/unreadable.ts'
import { wordsHeard } from './reply-words.ts'

/** A reply that has been read to its end, and that nobody has got yet. */
export interface HeldReply {
  /** As the client would get it: all filters have seen it. */
  readonly reply: Reply
  readonly words: ReplyWords
  readonly said: ReplySaid
  readonly report: ReplyReport
}

export interface Holding {
  readonly codec: Codec
  /** Most that is held. */
  readonly replyBytes: number
  readonly skipped: (name: string, error: unknown) => void
}

/** Reads a reply through its filters. Throws what reading it throws, and why it cannot be read. */
export async function heldReply(holding: Holding, reply: Reply): Promise<HeldReply> {
  const { filter, words, said } = wordsHeard('closed')
  const chain = filterChain([...reply.filters, filter], holding.skipped)
  if (chain === undefined) throw new TypeError('a chain has the filter that hears')
  const held = reply.form === 'stream' ? await heldStream(holding, reply, chain) : await heldBody(holding, reply, chain)
  return { ...held, words: words(), said: said() }
}

type Held = Omit<HeldReply, 'words' | 'said'>

async function heldBody({ codec }: Holding, reply: Reply, chain: FilterChain): Promise<Held> {
  const body = await readOrPass(reply)
  if ('problem' in body) {
    await body.pieces[Symbol.asyncIterator]().return?.()
    throw body.problem
  }
  const text = await filterBody(codec, reply, { chain, text: body.text })
  const report = bodyReport(codec, reply, body.text)
  const same = text === body.text ? body : { text }
  return { reply: { ...wholeReply(same, reply), filters: [], report: () => report }, report }
}

async function heldStream({ codec, replyBytes }: Holding, reply: Reply, chain: FilterChain): Promise<Held> {
  const filter = filterStream(codec.textPlaces, chain)
  const watch = reply.report ? undefined : streamWatch(codec)
  const events: SseEvent[] = []
  let held = 0
  for await (const piece of reply.pieces) {
    for (const { data } of piece.events) held += data.length
    if (held > replyBytes) throw replyTooLong(replyBytes)
    watch?.read(piece.events)
    events.push(...(await filter.events(piece.events)))
  }
  events.push(...(await filter.end()))
  const report = (reply.report ?? watch?.report)?.() ?? {}
  return { reply: { ...streamReply(events, reply), filters: [], report: () => report }, report }
}
