import { saidReply } from '../../../codecs/index.ts'
import type { Codec } from '../../../codecs/index.ts'
import type { ReplyEvent, SaidReply } from '../../../core/index.ts'
import { bodyOf, chained } from '../../outlet/reply.ts'
import type { Reply, ReplyPiece } from '../../outlet/reply.ts'

/** A reply that was read on the side and that nobody has got yet. */
export interface HeldPieces {
  /** From its beginning. */
  readonly reply: Reply
  /** Undefined where it is too long to be held, or nobody can read it. */
  readonly said?: SaidReply
}

/** Reads a reply and keeps it, as long as it has no more than so many bytes. Rejects where it breaks off. */
export async function heldPieces(codec: Codec, reply: Reply, mostBytes: number): Promise<HeldPieces> {
  const iterator = reply.pieces[Symbol.asyncIterator]()
  const held: ReplyPiece[] = []
  let bytes = 0
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    held.push(next.value)
    bytes += sizeOf(next.value)
    if (bytes > mostBytes) return { reply: { ...reply, pieces: chained(held, iterator) } }
  }
  const again = (): Reply => ({ ...reply, pieces: chained(held, iterator) })
  const said = reply.form === 'stream' ? inStream(codec, held) : await inBody(codec, again())
  return { reply: again(), ...(said && { said }) }
}

function sizeOf({ bytes, events }: ReplyPiece): number {
  return bytes?.byteLength ?? events.reduce((sum, { data }) => sum + data.length, 0)
}

function inStream({ replyReader }: Codec, held: readonly ReplyPiece[]): SaidReply {
  let state = replyReader.initial
  const told: ReplyEvent[] = []
  for (const event of held.flatMap(({ events }) => events)) {
    const step = replyReader.step(state, event)
    state = step.state
    told.push(...step.events)
  }
  return saidReply([...told, ...replyReader.close(state)])
}

async function inBody(codec: Codec, reply: Reply): Promise<SaidReply | undefined> {
  if (reply.unreadable?.()) return undefined
  try {
    return saidReply(codec.replyReader.whole((await bodyOf(reply)).text))
  } catch {
    return undefined
  }
}
