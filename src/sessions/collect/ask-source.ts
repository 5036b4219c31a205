import { itemShape, shape } from '../../core/index.ts'
import type { Conversation, Item, StrategyInForce } from '../../core/index.ts'
import { heuristicTokenizer } from '../../tokens/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'
import type { RequestContext } from '../call-context.ts'
import { withinDeadline } from '../within-deadline.ts'
import type { Source } from './source.ts'

export interface AskedSource {
  readonly context: RequestContext
  readonly conversation: Conversation
  readonly signal: AbortSignal
  readonly strategy: StrategyInForce | undefined
  readonly modelInfo: (model: string) => ModelInfo
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** A source that takes longer is left out. */
  readonly limitMs: number
  /** Sources that share the room. */
  readonly shares: number
  /** What becomes of an item before the session gets it; nothing where absent. */
  readonly admit?: ((item: Item) => Promise<Item>) | undefined
  leftOut(name: string, error: unknown): void
}

/** Asks one source, and takes of what it gives what the strategy allows and what there is room for. Rejects where it is late or gives no items. */
export async function askSource(source: Source, asked: AskedSource): Promise<readonly Item[]> {
  const { context, conversation, strategy, clock, limitMs, shares } = asked
  const { admit = async (item: Item) => item } = asked
  const late = new AbortController()
  const roomTokens = Math.floor(roomOf(asked) / shares)
  try {
    const told = { ...context, conversation, ...(strategy && { strategy }), roomTokens, deadlineMs: clock() + limitMs }
    const signal = AbortSignal.any([asked.signal, late.signal])
    const given = await withinDeadline(source.collect({ ...told, signal }), limitMs)
    const items = await Promise.all(allowed(strategy, source, given).map((item) => admit(named(source, item))))
    const fitting = fittingIn(items, roomTokens)
    if (fitting.length < items.length) asked.leftOut(source.id, new Error('gave more than there is room for'))
    return fitting
  } finally {
    late.abort()
  }
}

/** Of a window that the conversation fills: it is shortened, and evidence still has its place. */
const leastShare = 1 / 16

/** An estimate: the session counts what is packed, and remembers what it counted. */
function tokensAbout(text: string): number {
  return heuristicTokenizer.count(text)
}

/** Tokens that the window has room for, about. */
function roomOf({ modelInfo, conversation }: AskedSource): number {
  const { model, items, maxOutputTokens = 0 } = conversation
  const { windowTokens } = modelInfo(model)
  const tokens = items.reduce((sum, { text }) => sum + tokensAbout(text), 0)
  const left = windowTokens - maxOutputTokens - tokens
  return Math.max(leastShare * windowTokens, left)
}

/** What comes first goes first: a source gives the best first. */
function fittingIn(items: readonly Item[], roomTokens: number): readonly Item[] {
  let left = roomTokens
  return items.filter(({ text }) => {
    const tokens = tokensAbout(text)
    if (tokens > left) return false
    left -= tokens
    return true
  })
}

/** What a strategy allows of what a source has found, which is the best first; nobody knows how relevant an item is that does not say so. */
function allowed(strategy: StrategyInForce | undefined, { id }: Source, items: readonly Item[]): readonly Item[] {
  const { relevance = 0, maxItems = {} } = strategy ?? {}
  const relevant = relevance === 0 ? items : items.filter(({ scores }) => (scores?.relevance ?? 1) >= relevance)
  return Object.hasOwn(maxItems, id) ? relevant.slice(0, maxItems[id]) : relevant
}

function named({ id: sourceId }: Source, item: Item): Item {
  const own: Item = { provenance: { sourceId }, lasts: 'turn', ...item, id: `${sourceId}/${item.id}` }
  shape.check(itemShape, own, own.id)
  return own
}
