/** What a limit is counted by: UTC days and months, minutes of the clock, or what is under way now. */
export type Period = 'day' | 'month' | 'minute' | 'now'

const dayMs = 86_400_000
const minuteMs = 60_000

/** The name of the period in which a moment lies; empty for what is under way. */
export function periodName(period: Period, atMs: number): string {
  const text = new Date(atMs).toISOString()
  return text.slice(0, { day: 10, month: 7, minute: 16, now: 0 }[period])
}

/** When it ends; undefined for what is under way. */
export function periodEndMs(period: Period, atMs: number): number | undefined {
  if (period === 'now') return undefined
  if (period === 'minute') return atMs - (atMs % minuteMs) + minuteMs
  if (period === 'day') return atMs - (atMs % dayMs) + dayMs
  const date = new Date(atMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** Beyond its end an account is kept for calls that began in it. */
const lateMs = 2 * dayMs

/** How long the account of a period is kept. */
export function keptMs(period: Period, atMs: number): number {
  const endMs = periodEndMs(period, atMs)
  return endMs === undefined ? dayMs : endMs - atMs + (period === 'minute' ? 2 * minuteMs : lateMs)
}

/** The first day of the month before that of a moment: clocks of processes may differ. */
export function sinceDay(atMs: number): string {
  const date = new Date(atMs)
  return periodName('day', Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1))
}
