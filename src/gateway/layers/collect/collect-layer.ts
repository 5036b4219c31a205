import type { Item } from '../../../core/index.ts'
import { collectItems, isNamedSession, turnMemory } from '../../../sessions/index.ts'
import type { Source, TurnMemory } from '../../../sessions/index.ts'
import type { GatewayParts } from '../../parts.ts'
import { settingsFor } from '../../tenant-settings.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { FoundSession } from '../../exchange/found-session.ts'
import type { Layer } from '../../exchange/layer.ts'
import { admitted } from '../../exchange/rewriting.ts'
import { findSession } from '../find-session.ts'
import { leavingOut } from '../left-out.ts'

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
      const found = await foundIn(parts, { sources, memory, exchange, session })
      return next({ ...exchange, session, collected: [...exchange.collected, ...found] })
    },
  }
}

interface Asked {
  readonly sources: readonly Source[]
  readonly memory: TurnMemory
  readonly exchange: Exchange
  readonly session: Pick<FoundSession, 'scope'>
}

function foundIn(parts: GatewayParts, { sources, memory, exchange, session }: Asked): Promise<readonly Item[]> {
  const { id: requestId, principal, conversation, settings, signal, tenant } = exchange
  const { policy, situation, step } = settings
  const { scope } = session
  const isNamed = isNamedSession(scope, exchange)

  return collectItems({
    sources,
    memory,
    session: parts.sessions.open(scope),
    context: { requestId, scope, principal, isNamed, policy, step, ...(situation && { situation }) },
    conversation,
    signal,
    modelInfo: (model) => parts.catalogueOf(tenant).info(model),
    clock: parts.clock,
    limitMs: settingsFor(parts.config, tenant).limits.collectMs,
    admit: (item) => admitted(exchange, item),
    leftOut: leavingOut(parts, exchange),
  })
}
