import type { Dialect } from '../../../core/index.ts'
import type { StandingLimit } from '../../budgets/request-outlay.ts'

interface ShownLimits {
  readonly left: number | undefined
  readonly nowMs: number
}

/**
 * What a client may read of its limits: the smallest share that is left of a budget, and its limits by minute in the words that the clients
 * of its dialect know.
 */
export function limitHeaders(
  dialect: Dialect,
  limits: readonly StandingLimit[],
  { left, nowMs }: ShownLimits,
): Readonly<Record<string, string>> {
  const shown = (['requests', 'tokens'] as const).flatMap((unit) => {
    const tightest = limits
      .filter(({ entry }) => entry.period === 'minute' && entry.unit === unit)
      .toSorted((one, other) => remaining(one) - remaining(other))[0]
    return tightest ? [{ unit, limit: tightest }] : []
  })
  const named = shown.flatMap(({ unit, limit }) =>
    dialect === 'anthropic-messages' ? anthropicNames(unit, limit) : openaiNames(unit, limit, nowMs),
  )
  return { ...Object.fromEntries(named), ...(left !== undefined && { 'x-prehend-budget-left': left.toFixed(4) }) }
}

type Named = readonly (readonly [name: string, value: string])[]

function openaiNames(unit: string, limit: StandingLimit, nowMs: number): Named {
  const { most = 0, endMs = nowMs } = limit.entry
  return [
    [`x-ratelimit-limit-${unit}`, String(most)],
    [`x-ratelimit-remaining-${unit}`, String(remaining(limit))],
    [`x-ratelimit-reset-${unit}`, `${Math.max(0, Math.ceil((endMs - nowMs) / 1000))}s`],
  ]
}

function anthropicNames(unit: string, limit: StandingLimit): Named {
  const { most = 0, endMs = 0 } = limit.entry
  return [
    [`anthropic-ratelimit-${unit}-limit`, String(most)],
    [`anthropic-ratelimit-${unit}-remaining`, String(remaining(limit))],
    [`anthropic-ratelimit-${unit}-reset`, new Date(endMs).toISOString().replace('.000Z', 'Z')],
  ]
}

function remaining({ entry: { most = 0 }, settled, open }: StandingLimit): number {
  return Math.max(0, most - settled - open)
}
