import { isPrehendError } from '../../core/index.ts'
import type { AccountStanding, SpendingWrite } from '../../stores/index.ts'
import type { BudgetScope } from './budgets-of.ts'
import type { LedgerDesk } from './ledger-desk.ts'
import { entriesOf, nothing, streamEntries, sumsOf, usdOf } from './limit-entries.ts'
import type { Amounts, LimitEntry } from './limit-entries.ts'
import type { CallAmounts } from './price-bounds.ts'
import type { CallCauses } from './refusals.ts'
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
  /** For the words of a refusal. */
  readonly causes?: CallCauses | undefined
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
  const { scopes, clock, newId, counted, told, isRequest } = parts
  const calls: Call[] = []
  const slot = streamSlot(parts)
  let isClosed = false
  return {
    scopes,
    firstChars: undefined,
    async look() {
      const entries = [...entriesOf(scopes, nothing, clock()), ...streamEntries(scopes, 0, clock())]
      const accounts = await standing(parts, entries)
      return accounts?.flatMap((account, at) => {
        const entry = entries[at]
        return entry?.most === undefined ? [] : [{ ...account, entry }]
      })
    },
    async reserve({ most, least, isStream, causes }) {
      const isFirst = isRequest && calls.length === 0
      if (isStream && isFirst) await slot.take()
      const requests = isFirst ? 1 : 0
      const reserved = { ...most, requests }
      const call: Call = { id: newId(), atMs: clock(), reserved, least: { ...least, requests }, state: 'open' }
      try {
        if (await standing(parts, entriesOf(scopes, reserved, call.atMs), { id: call.id, causes })) counted('granted')
      } catch (error) {
        await slot.leave()
        throw error
      }
      calls.push(call)
      return {
        end(spent) {
          if (call.state !== 'open') return
          call.spent = { ...spent, requests }
          call.state = 'ended'
          told(figuresOf(calls))
          if (isClosed) void settled(parts, call, false)
        },
      }
    },
    writes: () => writesOf(parts, calls),
    filed(isWritten) {
      for (const call of calls.filter(({ state }) => state === 'filing')) {
        if (isWritten) void settled(parts, call, true)
        else call.state = 'ended'
      }
    },
    async close() {
      isClosed = true
      const left = calls.filter(({ state }) => state !== 'settled')
      await Promise.all([...left.map((call) => settled(parts, call, false)), slot.leave()])
    },
  }
}

/**
 * How accounts stand, with the reservation in them where there is an id. Undefined where nobody can say, and it may go on so; rejects with
 * `rate-limited` where there is no room.
 */
async function standing(
  { desk, tenant, scopes, clock, counted }: OutlayParts,
  entries: readonly LimitEntry[],
  { id, causes }: { readonly id?: string; readonly causes?: CallCauses | undefined } = {},
): Promise<readonly AccountStanding[] | undefined> {
  try {
    const answer = await desk.reserve(tenant, { entries, ...(id !== undefined && { id }) })
    if (answer.outcome === 'granted') return answer.accounts
    const at = answer.at ?? 0
    const entry = entries[at]
    if (entry === undefined) throw notCounted(tenant, undefined)
    counted('refused', entry)
    throw beyondLimit(entry, answer.accounts[at] ?? { settled: 0, open: 0 }, { nowMs: clock(), causes })
  } catch (error) {
    if (isPrehendError(error) && error.code === 'rate-limited') throw error
    counted('unavailable')
    if (isStrict(scopes)) throw notCounted(tenant, error)
    return undefined
  }
}

async function settled({ desk, tenant, scopes }: OutlayParts, call: Call, isWritten: boolean): Promise<void> {
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

function writesOf({ scopes }: OutlayParts, calls: readonly Call[]): readonly SpendingWrite[] {
  const ended = calls.filter(({ state }) => state === 'ended')
  for (const call of ended) call.state = 'filing'
  return ended.flatMap(({ id, atMs, spent = nothing }) => {
    const sums = sumsOf(scopes, spent, atMs)
    return sums.length === 0 ? [] : [{ id, spent: sums }]
  })
}

interface StreamSlot {
  /** Rejects with `rate-limited` where as many streams are under way as may be. */
  take(): Promise<void>
  leave(): Promise<void>
}

/** The place that a stream takes up from its first call to the end of its request. */
function streamSlot(parts: OutlayParts): StreamSlot {
  const { desk, tenant, scopes, clock, newId } = parts
  let taken: string | undefined
  return {
    async take() {
      const entries = streamEntries(scopes, 1, clock())
      if (entries.length === 0) return
      const id = newId()
      await standing(parts, entries, { id })
      taken = id
    },
    async leave() {
      const id = taken
      taken = undefined
      if (id !== undefined) await desk.settle(tenant, { id, spent: [] })
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
export function isStrict(scopes: readonly Pick<BudgetScope, 'limits'>[]): boolean {
  return scopes.some(({ limits: { whenUnavailable, usdPerDay, usdPerMonth } }) => {
    const usual = usdPerDay === undefined && usdPerMonth === undefined ? 'allow' : 'refuse'
    return (whenUnavailable ?? usual) === 'refuse'
  })
}
