import * as shape from './shape.ts'

export const riskLevels = ['low', 'medium', 'high'] as const
/** The risk that a step may take. */
export type RiskLevel = (typeof riskLevels)[number]

/** What a step may take, each a line of its own among the constraints. */
export interface StepLimits {
  readonly tokens?: number
  readonly costUsd?: number
  readonly latencyMs?: number
  /** The most that may be risked. */
  readonly risk?: RiskLevel
}

/** A limit a line, in units that people read. */
export function limitLines({ latencyMs, costUsd, tokens, risk }: StepLimits): readonly string[] {
  return [
    ...(latencyMs === undefined
      ? []
      : [`Latency <= ${latencyMs < 1_000 ? `${latencyMs} ms` : `${latencyMs / 1_000} s`}`]),
    ...(costUsd === undefined ? [] : [`Cost <= $${dollars(costUsd)}`]),
    ...(tokens === undefined ? [] : [`Tokens <= ${tokens}`]),
    ...(risk === undefined ? [] : [`Risk <= ${risk}`]),
  ]
}

/** Cents, and what is finer in as many digits as it takes. */
function dollars(amount: number): string {
  return Number.isInteger(Math.round(amount * 1e9) / 1e7) ? amount.toFixed(2) : String(amount)
}

/** What a step has taken, as far as that is known. */
export type StepUse = Partial<Record<'latencyMs' | 'costUsd' | 'tokens', number>>

/** A limit that a step has not kept to: the most that it may have taken, and what it has. */
export interface MissedLimit {
  readonly limit: keyof StepUse
  readonly most: number
  readonly actual: number
}

const { amount, object, optional } = shape
const figuresShape = object<StepUse>({
  latencyMs: optional(amount),
  costUsd: optional(amount),
  tokens: optional(amount),
})

/** The limits that a step has not kept to; what is not known of it misses none. */
export function missedLimits(limits: StepLimits, use: StepUse): readonly MissedLimit[] {
  shape.check(figuresShape, limits, 'limits')
  shape.check(figuresShape, use, 'use')
  return (['latencyMs', 'costUsd', 'tokens'] as const).flatMap((limit) => {
    const { [limit]: most = Infinity } = limits
    const { [limit]: actual = 0 } = use
    return actual > most ? [{ limit, most, actual }] : []
  })
}
