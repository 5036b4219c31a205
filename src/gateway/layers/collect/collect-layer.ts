import type { Item, StrategyInForce } from '../../../core/index.ts'
import { strategyOf } from '../../../compiler/index.ts'
import type { GatewayParts } from '../../parts.ts'
import { settingsFor } from '../../tenant-settings.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { findSession } from '../find-session.ts'
import type { FoundSession } from '../../exchange/found-session.ts'
import type { Layer } from '../../exchange/layer.ts'
import { leavingOut } from '../left-out.ts'
import { askSource } from './ask-source.ts'
import type { Source } from './source.ts'
import { turnMemory } from './turn-memory.ts'
import type { UserTurn } from './turn-memory.ts'

/** Asks all sources at once what they have for a request, as long as its session is to compile it. */
export function collectLayer(parts: GatewayParts, sources: readonly Source[]): Layer {
  const memory = turnMemory(parts.config.limits.liveSessions)
  return {
    name: 'collect',
    failure: 'open',
    appliesTo: ({ kind, unread, settings }) =>
      sources.length > 0 && kind === 'messages' && !unread && settings.mode !== 'off',
    handle: async (exchange, next) => {
      const session = await findSession(parts, exchange)
      const turn = memory.of(session.scope, exchange.conversation)
      if (await wasAskedElsewhere(parts, { exchange, session, turn })) turn.skip()
      const found = await foundIn(parts, { sources, exchange, session, turn })
      return next({ ...exchange, session, collected: [...exchange.collected, ...citedFirst(found)] })
    },
  }
}

interface Underway {
  readonly exchange: Exchange
  readonly session: FoundSession
  readonly turn: UserTurn
}

/** Whether an earlier request of the turn has come to another process, or to this one before it was started again. */
async function wasAskedElsewhere({ sessions }: GatewayParts, { exchange, session, turn }: Underway): Promise<boolean> {
  if (turn.wasAsked || !turn.isUnderway) return false
  const { items } = exchange.conversation
  // A source that is asked twice does less harm than one that is not asked.
  return sessions
    .open(session.scope)
    .had(items, turn.place)
    .catch(() => false)
}

interface Collecting extends Underway {
  readonly sources: readonly Source[]
}

async function foundIn(
  parts: GatewayParts,
  { sources, exchange, session, turn }: Collecting,
): Promise<readonly Item[]> {
  const leftOut = leavingOut(parts, exchange)
  const isAsked = ({ id, when = 'turn' }: Source): boolean => when === 'request' || turn.given(id) === undefined
  const asked = sources.filter(isAsked)
  const strategy = asked.length === 0 ? undefined : strategyFor(exchange)
  const limitMs = settingsFor(parts.config, exchange.tenant).limits.collectMs
  const asking = { session, strategy, limitMs, shares: asked.length, leftOut }
  const found = await Promise.all(
    sources.map(async (source) => {
      if (!asked.includes(source)) return turn.given(source.id) ?? []
      if (strategy?.collections?.includes(source.id) === false) return []
      try {
        const items = await askSource(parts, source, { ...asking, exchange })
        turn.keep(source.id, items)
        return items
      } catch (error) {
        leftOut(source.id, error)
        return []
      }
    }),
  )
  return found.flat()
}

function strategyFor({ settings, conversation }: Exchange): StrategyInForce | undefined {
  const { policy, situation } = settings
  return strategyOf(policy, { situation, items: conversation.items })
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
