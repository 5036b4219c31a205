import { shape } from '../../core/index.ts'
import { PassingMap } from '../../host/index.ts'
import type { Hot, Taken, TakeLimit } from './hot.ts'
import { inProcessLedgers } from './in-process-ledgers.ts'

/** Options of `inProcessHot`. */
export interface InProcessHotOptions {
  /** Milliseconds since the epoch. */
  readonly clock?: () => number
  /** Values, sums and leases held of each; the oldest make room. */
  readonly mostKeys?: number
}

interface Lasting<Value> {
  readonly value: Value
  readonly untilMs: number
}

const optionsShape = shape.object<Omit<InProcessHotOptions, 'clock'>>({ mostKeys: shape.optional(shape.amount) })

/**
 * Hot state of one process.
 *
 * ```ts
 * import { inProcessHot } from 'prehend/stores'
 *
 * const hot = inProcessHot()
 * const { taken, left } = await hot.take('acme requests', 1, { most: 60, ttlMs: 60_000 })
 * console.log(taken, left)
 * ```
 */
export function inProcessHot({ clock = Date.now, ...options }: InProcessHotOptions = {}): Hot {
  shape.check(optionsShape, options, 'options')
  const { mostKeys = 100_000 } = options
  const values = lasting<string>(clock, mostKeys)
  const sums = lasting<number>(clock, mostKeys)
  const leases = lasting<string>(clock, mostKeys)
  const listeners = new Map<string, Set<(message: string) => void>>()

  const take = (key: string, amount: number, { most, ttlMs }: TakeLimit): Taken => {
    const known = sums.get(key)
    const before = known?.value ?? 0
    const untilMs = known?.untilMs ?? clock() + ttlMs
    const sum = Math.max(0, before + amount)
    if (amount > 0 && sum > most) return { taken: false, left: Math.max(0, most - before), resetMs: untilMs }
    sums.put(key, { value: sum, untilMs })
    return { taken: true, left: Math.max(0, most - sum), resetMs: untilMs }
  }

  const { flush: _, ...ledgers } = inProcessLedgers(clock, mostKeys)

  return {
    isOfProcess: true,
    ...ledgers,
    get: async (key) => values.get(key)?.value,
    put: async (key, value, ttlMs) => values.put(key, { value, untilMs: clock() + ttlMs }),
    take: async (key, amount, limit) => take(key, amount, limit),
    async lease(name, owner, ttlMs) {
      const holder = leases.get(name)?.value ?? owner
      if (holder !== owner) return false
      leases.put(name, { value: owner, untilMs: clock() + ttlMs })
      return true
    },
    async release(name, owner) {
      if (leases.get(name)?.value === owner) leases.drop(name)
    },
    async publish(channel, message) {
      const now = Array.from(listeners.get(channel) ?? [])
      for (const hears of now) hears(message)
    },
    subscribe(channel, hears) {
      // Each subscription counts for itself, also of the same function.
      const own = (message: string): void => hears(message)
      const heard = listeners.get(channel) ?? new Set()
      listeners.set(channel, heard.add(own))
      return () => {
        heard.delete(own)
        if (heard.size === 0 && listeners.get(channel) === heard) listeners.delete(channel)
      }
    },
  }
}

interface LastingMap<Value> {
  get(key: string): Lasting<Value> | undefined
  put(key: string, entry: Lasting<Value>): void
  drop(key: string): void
}

function lasting<Value>(clock: () => number, mostKeys: number): LastingMap<Value> {
  const entries = new PassingMap<string, Lasting<Value>>()
  return {
    get(key) {
      const found = entries.get(key)
      if (found === undefined || found.untilMs > clock()) return found
      entries.delete(key)
      return undefined
    },
    put(key, entry) {
      entries.delete(key)
      entries.set(key, entry)
      for (const oldest of entries.keys()) {
        if (entries.size <= mostKeys) break
        entries.delete(oldest)
      }
    },
    drop(key) {
      entries.delete(key)
    },
  }
}
