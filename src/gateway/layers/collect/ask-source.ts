import { heuristicTokenizer } from '../../../tokens/index.ts'
import { itemShape, shape } from '../../../core/index.ts'
import type { Item, StrategyInForce } from '../../../core/index.ts'
import { withinDeadline } from '../../../sessions/index.ts'
import type { GatewayParts } from '../../parts.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { FoundSession } from '../../exchange/found-session.ts'
import { admitted } from '../../exchange/rewriting.ts'
import type { CollectRequest, Source } from './source.ts'

export interface AskedSource {
  readonly exchange: Exchange
  readonly session: Pick<FoundSession, 'scope'>
  readonly strategy: StrategyInForce | undefined
  /** A source that takes longer is left out. */
  readonly limitMs: number
  /** Sources that share the room. */
  readonly shares: number
  leftOut(name: string, error: unknown): void
}

/** Asks one source, and takes of what it gives what the strategy allows and what there is room for. Rejects where it is late or gives no items. */
export async function askSource(parts: GatewayParts, source: Source, asked: AskedSource): Promise<readonly Item[]> {
  const { exchange, strategy, limitMs, shares } = asked
  const late = new AbortController()
  const roomTokens = Math.floor(roomOf(parts, exchange) / shares)
  try {
    const request = { ...contextOf(asked), roomTokens, deadlineMs: parts.clock() + limitMs }
    const signal = AbortSignal.any([exchange.signal, late.signal])
    const given = await withinDeadline(source.collect({ ...request, signal }), limitMs)
    const found = allowed(strategy, source, given).map((item) => admitted(exchange, named(source, item)))
    const items = await Promise.all(found)
    const fitting = fittingIn(items, roomTokens)
    if (fitting.length < items.length) asked.leftOut(source.id, new Error('gave more than there is room for'))
    return fitting
  } finally {
    late.abort()
  }
}

function contextOf({
  exchange,
  session,
  strategy,
}: AskedSource): Omit<CollectRequest, 'roomTokens' | 'deadlineMs' | 'signal'> {
  const { id: requestId, principal, conversation, settings } = exchange
  const { policy, situation, step } = settings
  return {
    requestId,
    scope: session.scope,
    principal,
    policy,
    conversation,
    step,
    ...(situation && { situation }),
    ...(strategy && { strategy }),
  }
}

/** Of a window that the conversation fills: it is shortened, and evidence still has its place. */
const leastShare = 1 / 16

/** An estimate: the session counts what is packed, and remembers what it counted. */
function tokensAbout(text: string): number {
  return heuristicTokenizer.count(text)
}

/** Tokens that the window has room for, about. */
function roomOf({ catalogueOf }: GatewayParts, { tenant, conversation }: Exchange): number {
  const { model, items, maxOutputTokens = 0 } = conversation
  const { windowTokens } = catalogueOf(tenant).info(model)
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
