import type { AccountStanding, SpendingWrite } from '../../stores/index.ts'
import type { BudgetScope } from './budgets-of.ts'
import type { LedgerDesk } from './ledger-desk.ts'
import { entriesOf, nothing, streamEntries, sumsOf, usdOf } from './limit-entries.ts'
import type { Amounts, LimitEntry } from './limit-entries.ts'
import type { CallAmounts } from './price-bounds.ts'
import { beyondLimit, notCounted } from './refusals.ts'

/** What is sent upstream for one request, and counts against its budgets. */
export interface RequestOutlay {
  readonly scopes: readonly BudgetScope[]
  /** Characters of the first body that was sent; undefined before. */
  firstChars: number | undefined
  /** How its limits stand; undefined where that cannot be known, and may be unknown. Rejects with `unavailable` where it may not. */
  look(): Promise<readonly StandingLimit[] | undefined>
  /** Reserves for one call. Rejects with `rate-limited` where there is no room, and with `unavailable`. */
  reserve(call: CallOrder): Promise<OpenCall>
  /** What has ended and is not written yet: to be written with the request's receipt. `filed` says whether it was. */
  writes(): readonly SpendingWrite[]
  filed(isWritten: boolean): void
  /** The request is over: what has not ended ends, and what is not written is. Never rejects. */
  close(): Promise<void>
}

export interface CallOrder {
  /** The most that it may come to. */
  readonly most: CallAmounts
  /** What it has come to where nobody hears of its end. */
  readonly least: CallAmounts
  readonly isStream: boolean
}

export interface OpenCall {
  /** It has come to so much. The first time counts. */
  end(spent: CallAmounts): void
}

export interface StandingLimit extends AccountStanding {
  readonly entry: LimitEntry
}

/** What calls have come to, for the receipt. */
export interface OutlayFigures {
  readonly reservedUsd: number
  readonly spentUsd: number
  readonly reservedTokens: number
  readonly spentTokens: number
  readonly calls: number
}

export interface OutlayParts {
  readonly desk: LedgerDesk
  readonly tenant: string
  readonly scopes: readonly BudgetScope[]
  readonly clock: () => number
  readonly newId: () => string
  /** Whether a client has asked for it, so that it counts as a request. */
  readonly isRequest: boolean
  readonly counted: (result: 'granted' | 'refused' | 'unavailable', entry?: LimitEntry) => void
  readonly told: (figures: OutlayFigures) => void
}

interface Call {
  readonly id: string
  readonly atMs: number
  readonly reserved: Amounts
  readonly least: Amounts
  spent?: Amounts
  state: 'open' | 'ended' | 'filing' | 'settled'
}

export function requestOutlay(parts: OutlayParts): RequestOutlay {
  const { desk, tenant, scopes, clock, newId, counted, told } = parts
  const calls: Call[] = []
  let slot: string | undefined
  let isClosed = false

  const standing = async (
    entries: readonly LimitEntry[],
    id?: string,
  ): Promise<readonly AccountStanding[] | undefined> => {
    try {
      const answer = await desk.reserve(tenant, { entries, ...(id !== undefined && { id }) })
      if (answer.outcome === 'granted') return answer.accounts
      const at = answer.at ?? 0
      const entry = entries[at]
      if (entry === undefined) throw notCounted(undefined)
      counted('refused', entry)
      throw beyondLimit(entry, answer.accounts[at] ?? { settled: 0, open: 0 }, clock())
    } catch (error) {
      if (isRefusal(error)) throw error
      counted('unavailable')
      if (isStrict(scopes)) throw notCounted(error)
      return undefined
    }
  }
  const settleOne = async (call: Call, isWritten: boolean): Promise<void> => {
    const { id, atMs, spent = call.least } = call
    call.state = 'settled'
    const sums = sumsOf(scopes, spent, atMs)
    const isNothing = spent.nanoUsd + spent.tokens + spent.requests === 0
    await desk.settle(tenant, {
      id,
      spent: isNothing ? [] : entriesOf(scopes, spent, atMs),
      ...(!isWritten && sums.length > 0 && { write: { id, spent: sums } }),
    })
  }
  const takeSlot = async (isStream: boolean): Promise<void> => {
    const entries = isStream && parts.isRequest && calls.length === 0 ? streamEntries(scopes, 1, clock()) : []
    if (entries.length === 0) return
    const id = newId()
    await standing(entries, id)
    slot = id
  }
  const leaveSlot = async (): Promise<void> => {
    const id = slot
    slot = undefined
    if (id !== undefined) await desk.settle(tenant, { id, spent: [] })
  }

  return {
    scopes,
    firstChars: undefined,
    async look() {
      const entries = [...entriesOf(scopes, nothing, clock()), ...streamEntries(scopes, 0, clock())]
      const accounts = await standing(entries)
      return accounts?.flatMap((account, at) => {
        const entry = entries[at]
        return entry?.most === undefined ? [] : [{ ...account, entry }]
      })
    },
    async reserve({ most, least, isStream }) {
      await takeSlot(isStream)
      const requests = parts.isRequest && calls.length === 0 ? 1 : 0
      const call: Call = {
        id: newId(),
        atMs: clock(),
        reserved: { ...most, requests },
        least: { ...least, requests },
        state: 'open',
      }
      try {
        if (await standing(entriesOf(scopes, call.reserved, call.atMs), call.id)) counted('granted')
      } catch (error) {
        await leaveSlot()
        throw error
      }
      calls.push(call)
      return {
        end(spent) {
          if (call.state !== 'open') return
          call.spent = { ...spent, requests }
          call.state = 'ended'
          told(figuresOf(calls))
          if (isClosed) void settleOne(call, false)
        },
      }
    },
    writes() {
      const ended = calls.filter(({ state }) => state === 'ended')
      for (const call of ended) call.state = 'filing'
      return ended.flatMap(({ id, atMs, spent = nothing }) => {
        const sums = sumsOf(scopes, spent, atMs)
        return sums.length === 0 ? [] : [{ id, spent: sums }]
      })
    },
    filed(isWritten) {
      for (const call of calls.filter(({ state }) => state === 'filing')) {
        if (isWritten) void settleOne(call, true)
        else call.state = 'ended'
      }
    },
    async close() {
      isClosed = true
      const left = calls.filter(({ state }) => state !== 'settled')
      await Promise.all([...left.map((call) => settleOne(call, false)), leaveSlot()])
    },
  }
}

function figuresOf(calls: readonly Call[]): OutlayFigures {
  const sum = (of: (call: Call) => number): number => calls.reduce((total, call) => total + of(call), 0)
  return {
    reservedUsd: usdOf(sum(({ reserved }) => reserved.nanoUsd)),
    spentUsd: usdOf(sum(({ spent }) => spent?.nanoUsd ?? 0)),
    reservedTokens: sum(({ reserved }) => reserved.tokens),
    spentTokens: sum(({ spent }) => spent?.tokens ?? 0),
    calls: calls.length,
  }
}

/** Whether a request that cannot be counted is refused: a limit in dollars is a promise. */
function isStrict(scopes: readonly BudgetScope[]): boolean {
  return scopes.some(({ limits: { whenUnavailable, usdPerDay, usdPerMonth } }) => {
    const usual = usdPerDay === undefined && usdPerMonth === undefined ? 'allow' : 'refuse'
    return (whenUnavailable ?? usual) === 'refuse'
  })
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'rate-limited'
}
