import type { Usage } from '../../core/index.ts'
import { priceOf } from '../../tokens/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'

/** Money that a call may cost, set aside before it is made. */
export interface Reservation {
  /** What it did cost. */
  settle(usd: number): void
}

export interface Spending {
  /** Settled and set aside. */
  committedUsd(): number
  /** Waits for calls under way where their reservations are in the way. Undefined where the cap has no room for this one. */
  reserve(usd: number): Promise<Reservation | undefined>
}

/** Keeps what all runs together may spend: reservations and bills never exceed the cap as long as no call costs more than was reserved. */
export function openSpending(capUsd: number, spentUsd: number): Spending {
  let [settled, reserved] = [spentUsd, 0]
  let waiting: (() => void)[] = []
  return {
    committedUsd: () => settled + reserved,
    async reserve(usd) {
      const fits = (): boolean => settled + reserved + usd <= capUsd
      while (!fits()) {
        if (reserved === 0) return undefined
        await new Promise<void>((free) => waiting.push(free))
      }
      reserved += usd
      return {
        settle(cost) {
          // Sums of fractions do not come back to 0 by themselves.
          reserved = reserved - usd < 1e-12 ? 0 : reserved - usd
          settled += cost
          const free = waiting
          waiting = []
          for (const each of free) each()
        },
      }
    },
  }
}

/** Tokenizers differ by less than a half from our count, and no provider adds more than this to a request. */
const mostScale = 1.5
const mostAddedTokens = 2000

/** The most that a call can cost: everything read at the dearest rate, and the longest reply. Undefined without prices. */
export function worstUsd(countedTokens: number, maxOutputTokens: number, info: ModelInfo): number | undefined {
  const inputTokens = Math.ceil(mostScale * countedTokens) + mostAddedTokens
  const usage: Usage = { inputTokens, outputTokens: maxOutputTokens }
  const written = { ...usage, cacheWriteTokens: inputTokens }
  const prices = [usage, written, { ...written, cacheWriteLongTokens: inputTokens }].map((one) => priceOf(one, info))
  const known = prices.filter((price) => price !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}
