import { itemShape, shape } from '../../../core/index.ts'
import type { Item, StrategyInForce } from '../../../core/index.ts'
import { strategyOf } from '../../../compiler/index.ts'
import { withinDeadline } from '../../../sessions/index.ts'
import { admitted } from '../exchange.ts'
import type { Exchange } from '../exchange.ts'
import type { Layer } from '../layer.ts'
import { leavingOut } from '../left-out.ts'
import type { Source } from './source.ts'

export interface CollectOptions {
  readonly sources: readonly Source[]
  /** Sources that take longer are left out of a request. */
  readonly limitMs: (tenant: string) => number
  /** Told of sources that were left out. */
  readonly skipped: (name: string, error: unknown, requestId: string) => void
}

/** Asks all sources at once what they have for a request, as long as its session is to compile it. */
export function collectLayer({ sources, limitMs, skipped }: CollectOptions): Layer {
  return {
    name: 'collect',
    failure: 'open',
    appliesTo: ({ kind, unread, settings }) =>
      sources.length > 0 && kind === 'messages' && !unread && settings.mode !== 'off',
    handle: async (exchange, next) => {
      const leftOut = leavingOut({ skipped }, exchange)
      const { policy, situation } = exchange.settings
      const strategy = strategyOf(policy, { situation, items: exchange.conversation.items })
      const found = await Promise.all(
        sources.map(async (source) => {
          if (strategy?.collections?.includes(source.id) === false) return []
          try {
            return await itemsOf(source, exchange, { limitMs: limitMs(exchange.tenant), strategy })
          } catch (error) {
            leftOut(source.id, error)
            return []
          }
        }),
      )
      return next({ ...exchange, collected: [...exchange.collected, ...citedFirst(found.flat())] })
    },
  }
}

/** Citations of one turn that a model is asked for; what comes after those is evidence like any other. */
const mostCited = 10

function citedFirst(items: readonly Item[]): readonly Item[] {
  const rest = new Set(items.filter(({ citable }) => citable === true).slice(mostCited))
  return rest.size === 0 ? items : items.map((item) => (rest.has(item) ? uncited(item) : item))
}

function uncited({ citable: _citable, ...item }: Item): Item {
  return item
}

interface Asking {
  readonly limitMs: number
  readonly strategy: StrategyInForce | undefined
}

async function itemsOf(source: Source, exchange: Exchange, { limitMs, strategy }: Asking): Promise<readonly Item[]> {
  const { id: requestId, tenant, conversation, signal } = exchange
  const late = new AbortController()
  try {
    const asked = source.collect({
      requestId,
      tenant,
      conversation,
      ...(strategy && { strategy }),
      signal: AbortSignal.any([signal, late.signal]),
    })
    const items = within(strategy, source, await withinDeadline(asked, limitMs))
    return items.map((item) => admitted(exchange, named(source, item)))
  } finally {
    late.abort()
  }
}

/** What a strategy allows of what a source has found, which is the best first; nobody knows how relevant an item is that does not say so. */
function within(strategy: StrategyInForce | undefined, { id }: Source, items: readonly Item[]): readonly Item[] {
  const { relevance = 0, maxItems = {} } = strategy ?? {}
  const relevant = relevance === 0 ? items : items.filter(({ scores }) => (scores?.relevance ?? 1) >= relevance)
  return Object.hasOwn(maxItems, id) ? relevant.slice(0, maxItems[id]) : relevant
}

function named({ id: sourceId }: Source, item: Item): Item {
  const own = { provenance: { sourceId }, ...item, id: `${sourceId}/${item.id}` }
  shape.check(itemShape, own, own.id)
  return own
}
