import { pricesFor } from '../../compiler/index.ts'
import type { Account, CachePrices, Ledger, SessionLengths, Usage } from '../../core/index.ts'
import { accountRow, addedAccount, creditOf, isAnsweredHere, noAccount } from '../../stores/index.ts'
import type { ReceiptResult, TenantAccountChange, TenantAccountRow } from '../../stores/index.ts'
import type { SessionTurn } from '../session-turn.ts'

/** What earlier sessions of a tenant tell a compile. */
export interface EarlierSessions {
  /** Of the same model, without this session. */
  readonly sessionLengths?: SessionLengths
  /** What all others have saved together; absent for the first session of a tenant, which borrows as its policy allows. */
  readonly tenantCredit?: number
  /** What they and this one have. */
  readonly knownCredit: number
}

/** A session's request, and what the tenant's account holds before it. */
export interface AccountView {
  readonly rows: readonly TenantAccountRow[]
  readonly model: string
  readonly ledger: Ledger | undefined
}

export function earlierSessions({ rows, model, ledger }: AccountView): EarlierSessions {
  const knownCredit = creditOf(rows)
  const { sessions = 0, requests = 0 } = accountRow(rows, model) ?? {}
  const turns = ledger?.turns ?? 0
  const isCounted = turns >= fewestTurns
  const others = isCounted ? { sessions: sessions - 1, requests: requests - turns } : { sessions, requests }
  const isFirst = rows.reduce((sum, row) => sum + row.sessions, 0) <= (isCounted ? 1 : 0)
  return {
    ...(others.sessions > 0 && {
      sessionLengths: { ...others, requests: Math.max(others.requests, fewestTurns * others.sessions) },
    }),
    ...(!isFirst && { tenantCredit: knownCredit - sessionCredit(ledger?.account) }),
    knownCredit,
  }
}

/**
 * A conversation that ends with its first request, such as one that asks for a title, tells nothing of those that go on, and only these
 * decide by how long others were.
 */
const fewestTurns = 2

/** What is added before the request is sent: what it takes from the account. Undefined where it takes no more than our tool costs. */
export function decidedChange(turn: SessionTurn): TenantAccountChange | undefined {
  const change = costChange(turn)
  if (change === undefined || !isSpent(change, turn)) return undefined
  return turn.knownCredit === undefined ? change : { ...change, knownCredit: turn.knownCredit }
}

/** What is added once the request was answered: what it has saved, what its fetches cost, and that its session goes on. */
export function answeredChange(
  turn: SessionTurn,
  later: readonly (Usage | undefined)[],
): TenantAccountChange | undefined {
  const cost = costChange(turn)
  if (cost === undefined) return undefined
  const { received, encoded, input } = turn
  const { model } = received.conversation
  const turns = encoded?.ledger?.turns ?? 0
  const earned = isSpent(cost, turn) ? noAccount(model) : cost
  return addedAccount(earned, {
    ...noAccount(model),
    sessions: turns === fewestTurns ? 1 : 0,
    requests: turns === fewestTurns ? fewestTurns : turns > fewestTurns ? 1 : 0,
    fetched: fetchCost(later, pricesFor(input), encoded?.ledger?.lastTokens ?? 0),
  })
}

/** What is taken back of a request that the provider has refused: it has not billed it. */
export function refusedChange(turn: SessionTurn): TenantAccountChange | undefined {
  const change = decidedChange(turn)
  if (change === undefined) return undefined
  const { model, passThrough, saved, lent } = change
  return { ...noAccount(model), passThrough: -passThrough, saved: -saved, lent: -lent }
}

/** Whether any round of an exchange was billed. */
export function isBilled(result: ReceiptResult): boolean {
  const { status, usage } = result
  return usage !== undefined || (status > 0 && status < 400 && !isAnsweredHere(result))
}

/** Whether a request takes more from the account than the definition of our tool costs, which stands in every request that offers it. */
function isSpent(change: TenantAccountRow, { input, manifest }: SessionTurn): boolean {
  const { ownTokens = 0, offerTokens = 0 } = input.budget
  const toolTokens = ownTokens + (manifest.offers === true ? offerTokens : 0)
  return creditOf([change]) < -toolTokens * pricesFor(input).write - dust
}

/** Less than the thousandth of a token is a matter of rounding. */
const dust = 1e-3

/** What a request that is sent as it was packed adds to the account of its session. */
function costChange({ mode, encoded, before, received }: SessionTurn): TenantAccountRow | undefined {
  if (mode !== 'on' || encoded?.ledger === undefined) return undefined
  const { account } = encoded.ledger
  const from = before.ledger?.account ?? noCosts
  const [was, is] = [sessionCredit(from), sessionCredit(account)]
  const change = {
    ...noAccount(received.conversation.model),
    passThrough: account.passThrough - from.passThrough,
    saved: Math.max(is, 0) - Math.max(was, 0),
    lent: Math.max(-is, 0) - Math.max(-was, 0),
  }
  return before.unfiled ? addedAccount(change, before.unfiled) : change
}

const noCosts: Account = { passThrough: 0, actual: 0 }

function sessionCredit({ passThrough, actual }: Account = noCosts): number {
  return passThrough - actual
}

/** What rounds cost behind the first, in input-token prices; one that reported nothing has read the prompt once more. */
function fetchCost(rounds: readonly (Usage | undefined)[], prices: CachePrices, promptTokens: number): number {
  const costs = rounds.map((usage) => {
    if (usage === undefined) return prices.read * promptTokens
    const { inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
    const plain = inputTokens - cacheReadTokens - cacheWriteTokens
    return plain + prices.read * cacheReadTokens + prices.write * cacheWriteTokens
  })
  return costs.reduce((sum, cost) => sum + cost, 0)
}
