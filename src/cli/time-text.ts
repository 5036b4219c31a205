import { invalidInput } from '../core/index.ts'

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a text such as `90s`, `30m`, `12h` or `90d`. Throws `invalid-input` that names the option. */
export function durationIn(text: string, option: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return Number(count) * (unitMs[unit] ?? 0)
  throw invalidInput(option, `${JSON.stringify(text)} is no duration`, 'Give one such as 90s, 30m, 12h or 90d.')
}

/** The time that a text means, in milliseconds since the epoch: a duration from now on, or a date. */
export function momentIn(text: string, option: string, nowMs: number): number {
  if (/^\d{1,9}[smhd]$/.test(text)) return nowMs + durationIn(text, option)
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isFinite(at)) return at
  throw invalidInput(
    option,
    `${JSON.stringify(text)} is no time`,
    'Give one such as 90d, 2027-01-31 or 2027-01-31T12:00Z.',
  )
}

/** To the second, in UTC. */
export function momentText(ms: number | undefined): string {
  return ms === undefined ? '' : `${new Date(ms).toISOString().slice(0, 19)}Z`
}
