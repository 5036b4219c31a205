/** Numbers and times as the reader's own locale writes them. */

const whole = new Intl.NumberFormat()
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** What is said where a figure is not known. */
export const unknown = 'n/a'

type Figure = number | null | undefined

export const count = (value: Figure): string => (value == null ? unknown : whole.format(value))

const plural = new Intl.PluralRules('en')

/** A number with the word for one or for more. */
export const counted = (value: number, [one, more]: readonly [string, string]): string =>
  `${whole.format(value)} ${plural.select(value) === 'one' ? one : more}`

/** `12.3K`. */
export const tokens = (value: Figure): string => (value == null ? unknown : short.format(value))

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB'] as const

/** `12.3 KiB`. */
export function bytes(value: number): string {
  const unit = Math.min(Math.floor(Math.log2(Math.max(1, value)) / 10), binaryUnits.length - 1)
  return `${short.format(value / 1024 ** unit)} ${binaryUnits[unit]}`
}

/** Of a share in [0, 1]. */
export const percent = (value: Figure): string => (value == null ? unknown : share.format(value))

/** Dollars, with as many places as a small sum needs to be told from nothing. */
export function money(value: Figure): string {
  if (value == null) return unknown
  const size = Math.abs(value)
  const places = size === 0 || size >= 100 ? 2 : size >= 1 ? 3 : size >= 0.001 ? 4 : 6
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Math.min(2, places),
    maximumFractionDigits: places,
  }).format(value)
}

export function milliseconds(value: Figure): string {
  if (value == null) return unknown
  if (value >= 10_000) return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(value / 1000)} s`
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: value < 10 ? 2 : 0 }).format(value)} ms`
}

export const clock = (ms: number): string => time.format(ms)

export const dateAndTime = (ms: number): string => moment.format(ms)

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** `3 minutes ago`. */
export function ago(ms: number, nowMs: number): string {
  const span = ms - nowMs
  const [unit, size] = units.find(([, each]) => Math.abs(span) >= each) ?? units[3]
  return relative.format(Math.round(span / size), unit)
}

/** Of a sum that was saved: good, or bad where it was lost. */
export function savedTone(saved: Figure): 'good' | 'bad' | undefined {
  return saved == null || saved === 0 ? undefined : saved > 0 ? 'good' : 'bad'
}

/** What is gone of a whole, `-12.3%`; with a plus where it has grown. */
export function change(now: number, before: number): string {
  if (before === 0) return unknown
  return new Intl.NumberFormat(undefined, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  }).format(now / before - 1)
}
