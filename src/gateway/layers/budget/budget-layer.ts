import { clientStatus } from '../../../codecs/index.ts'
import type { PrehendError } from '../../../core/index.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { budgetFacts } from '../../exchange/budget-facts.ts'
import type { Layer } from '../../exchange/layer.ts'
import { beyondLimit } from '../../budgets/refusals.ts'
import type { StandingLimit } from '../../budgets/request-outlay.ts'
import { wholeReply } from '../../outlet/reply.ts'
import type { Reply } from '../../outlet/reply.ts'
import { whenAgain } from '../../outlet/respond.ts'
import type { GatewayParts } from '../../parts.ts'
import { limitHeaders } from './limit-headers.ts'
import { thriftyAs } from './thrifty-policy.ts'

/** Below this share of a budget of dollars or tokens, requests are packed as `cost-first` has it. */
const littleLeft = 0.2

/**
 * Looks at the budgets of a request before anything is made of it: one that is used up refuses it, one that is nearly so has it packed to
 * cost less. What it may cost is reserved where it is sent.
 */
export function budgetLayer({ clock }: Pick<GatewayParts, 'clock'>): Layer {
  return {
    ...budgetFacts,
    failure: 'closed',
    takesUnread: true,
    appliesTo: ({ outlay }) => outlay !== undefined,
    async handle(exchange, next) {
      const limits = await exchange.outlay?.look()
      if (limits === undefined) return next(exchange)
      const left = leftOf(limits)
      exchange.trace.show(limitHeaders(exchange.wire.dialect, limits, { left, nowMs: clock() }))
      const full = limits.find(isFull)
      if (full) return refusal(exchange, beyondLimit({ ...full.entry, amount: 0 }, full, { nowMs: clock() }))
      if (left === undefined) return next(exchange)
      const isThrifty = left < littleLeft && exchange.kind === 'messages'
      exchange.trace.note(budgetFacts, { left: rounded(left), ...(isThrifty && { isThrifty }) })
      return next(isThrifty ? thrifty(exchange) : exchange)
    },
  }
}

/** A reply, and no error that is thrown: it has the headers of its limits. */
function refusal({ codec, id, trace }: Exchange, error: PrehendError<'rate-limited'>): Reply {
  trace.tell({ limit: error.data.limit })
  const headers = { 'content-type': 'application/json', ...whenAgain(error) }
  return wholeReply({ text: codec.encodeError(error, id) }, { status: clientStatus(error), headers })
}

/** Nothing more fits, however little it is. */
function isFull({ entry: { most = 0 }, settled, open }: StandingLimit): boolean {
  return settled + open >= most
}

/** The smallest share that is left; what is reserved counts as left, so that a threshold is passed once. Undefined without such a budget. */
function leftOf(limits: readonly StandingLimit[]): number | undefined {
  const shares = limits.flatMap(({ entry: { unit, period, most = 0 }, settled }) => {
    const isBudget = (unit === 'nanoUsd' || unit === 'tokens') && (period === 'day' || period === 'month')
    return isBudget ? [most === 0 ? 0 : Math.max(0, 1 - settled / most)] : []
  })
  return shares.length === 0 ? undefined : Math.min(...shares)
}

function thrifty(exchange: Exchange): Exchange {
  const { settings } = exchange
  return { ...exchange, settings: { ...settings, policy: thriftyAs(settings.policy) } }
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000
}
