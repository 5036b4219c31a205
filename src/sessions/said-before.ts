import type { WireExchange, Item, Message, OverlayPart, SaidBefore } from '../core/index.ts'
import { contentHasher } from '../compiler/index.ts'
import { isOwnId } from './own-ids.ts'
import { sha256 } from '../host/index.ts'

/** What a client's conversation says before each of its messages, as digests. */
export interface SaidBeforeEach {
  /** Before what the request asks for. */
  readonly end: SaidBefore
  /** Whether it says, somewhere, what was said before a part. */
  includes(part: OverlayPart): boolean
  /** Whether the message of this index may be the one that a turn was answered by. */
  belongs(part: OverlayPart, index: number): boolean
}

/** Reads the requests of one conversation in turn: what is the same as in the one before is not digested again. */
export type SaidBeforeReader = (exchange: WireExchange) => SaidBeforeEach

/**
 * A model's reasoning counts for nothing: clients leave it out later on. Where a client has changed what is long past, cleared
 * results or cut the middle out, a call whose id no other conversation has is enough to go by.
 */
export function saidBeforeReader(): SaidBeforeReader {
  const hashOf = contentHasher(sha256)
  let last: readonly Said[] = []
  return ({ conversation }) => {
    const items = new Map(conversation.items.map((item) => [item.id, item]))
    const messages = conversation.messages.filter(({ id }) => id !== promptId)
    let same = 0
    while (same < last.length && last[same]?.message === messages[same]) same += 1
    const said = last.slice(0, same)
    for (const message of messages.slice(same)) {
      const own = message.itemIds.flatMap((id) => items.get(id) ?? [])
      said.push(saidBy(message, own, { hashOf, before: said.at(-1)?.digest ?? '' }))
    }
    last = said
    return digests(said)
  }
}

/** A prompt that stands outside of the messages; it is the same in all requests of a lane. */
const promptId = 'system'

/** A message and all before it. */
interface Said {
  readonly message: Message
  /** Of all that was said up to it. */
  readonly digest: string
  /** Of what it says itself; nothing where it only reasons. */
  readonly own: readonly string[]
  readonly callIds: readonly string[]
  /** Ids that came a second time with it. */
  readonly usedAgain: readonly string[]
}

interface Hashing {
  readonly hashOf: (item: Item) => string
  readonly before: string
}

function saidBy(message: Message, items: readonly Item[], { hashOf, before }: Hashing): Said {
  const own = items
    .filter(({ kind }) => kind !== 'reasoning')
    .map((item) => (item.text === '' ? item.id : hashOf(item)))
  const calls = items.filter(({ toolCallId }) => toolCallId !== undefined)
  return {
    message,
    own,
    digest: own.length === 0 ? before : sha256([before, ...own].join('\n')),
    callIds: [...new Set(calls.map(({ toolCallId = '' }) => toolCallId))],
    usedAgain: calls.flatMap(({ toolCallId = '', group }) => (group === toolCallId ? [] : [toolCallId])),
  }
}

function digests(said: readonly Said[]): SaidBeforeEach {
  const usedAgain = new Set(said.flatMap((each) => each.usedAgain))
  const isOwn = (id: string): boolean => !usedAgain.has(id) && isOwnId(id)
  const ownIds = (each: Said | undefined): readonly string[] => (each?.callIds ?? []).filter(isOwn)
  const allAt = (index: number): string => said[index - 1]?.digest ?? ''
  const recents = new Map<number, string | undefined>()
  const recentAt = (index: number): string | undefined => {
    if (!recents.has(index)) recents.set(index, recentBefore(said.slice(0, index), ownIds))
    return recents.get(index)
  }
  const isAt = ({ saidBefore }: OverlayPart, index: number): boolean => {
    if (saidBefore === undefined) return false
    if (allAt(index) === saidBefore.all) return true
    return saidBefore.recent !== undefined && recentAt(index) === saidBefore.recent
  }
  const recent = recentAt(said.length)
  return {
    end: { all: allAt(said.length), ...(recent !== undefined && { recent }) },
    includes: (part) => {
      for (let index = said.length; index >= 0; index -= 1) if (isAt(part, index)) return true
      return false
    },
    belongs: (part, index) => {
      const calls = part.kind === 'hidden-turn' ? part.turn.visibleCallIds : []
      return isAt(part, index) || ownIds(said[index]).some((id) => calls.includes(id))
    },
  }
}

/** The last call or result with an id of its own, and what was said since. */
function recentBefore(said: readonly Said[], ownIds: (each: Said) => readonly string[]): string | undefined {
  const from = said.findLastIndex((each) => ownIds(each).length > 0)
  const [first, ...since] = said.slice(from)
  if (from < 0 || first === undefined) return undefined
  return sha256([...ownIds(first), '', ...since.flatMap(({ own }) => own)].join('\n'))
}
