import type { StepLimits } from './compile.ts'

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
