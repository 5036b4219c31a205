import type { JsonObject } from '../../../core/index.ts'
import { numberAt } from './keyword.ts'

interface Wanted {
  readonly nth: number
  readonly isInteger: boolean
}

interface Bounds {
  readonly low: number
  readonly high: number
  readonly isLowOpen: boolean
  readonly isHighOpen: boolean
}

/** The number nearest to zero that fits, or the nth besides it; undefined where none does. */
export function smallestNumber(schema: JsonObject, { nth, isInteger }: Wanted): number | undefined {
  const bounds = boundsOf(schema)
  const multipleOf = numberAt(schema, 'multipleOf')
  const fraction = multipleOf !== undefined && multipleOf > 0 ? multipleOf : undefined
  const step = isInteger ? wholeStep(fraction ?? 1) : fraction
  return step === undefined ? anyNumber(bounds, nth) : multiple(bounds, step, nth)
}

function boundsOf(schema: JsonObject): Bounds {
  const minimum = numberAt(schema, 'minimum') ?? -Infinity
  const maximum = numberAt(schema, 'maximum') ?? Infinity
  const above = numberAt(schema, 'exclusiveMinimum') ?? -Infinity
  const below = numberAt(schema, 'exclusiveMaximum') ?? Infinity
  return {
    low: Math.max(minimum, above),
    high: Math.min(maximum, below),
    // In draft 4 these keywords are true or false.
    isLowOpen: above >= minimum || schema['exclusiveMinimum'] === true,
    isHighOpen: below <= maximum || schema['exclusiveMaximum'] === true,
  }
}

/** The step between whole numbers that are multiples of a fraction. */
function wholeStep(fraction: number): number {
  for (let times = 1; times <= 1000; times += 1) {
    const step = fraction * times
    if (Math.abs(step - Math.round(step)) < 1e-9 && Math.round(step) > 0) return Math.round(step)
  }
  return 1
}

function multiple({ low, high, isLowOpen, isHighOpen }: Bounds, step: number, nth: number): number | undefined {
  const lowest = isLowOpen ? Math.floor(low / step) + 1 : Math.ceil(low / step)
  const highest = isHighOpen ? Math.ceil(high / step) - 1 : Math.floor(high / step)
  if (lowest > highest) return undefined
  const first = Math.max(lowest, Math.min(0, highest))
  const up = first + nth
  const chosen = up <= highest ? up : first - (up - highest)
  if (chosen < lowest) return undefined
  // Without what binary fractions add, and without a negative zero.
  return Number((chosen * step).toPrecision(15)) + 0
}

function anyNumber(bounds: Bounds, nth: number): number | undefined {
  const { low, high } = bounds
  const near = [0, low, high, low + 1, high - 1, low + (high - low) / 2]
  const first = near.find((number) => fits(number, bounds))
  if (first === undefined || nth === 0) return first
  const others = [
    first + nth,
    first - nth,
    first + ((high - first) * nth) / (nth + 1),
    first - ((first - low) * nth) / (nth + 1),
  ]
  return others.find((number) => fits(number, bounds))
}

function fits(number: number, { low, high, isLowOpen, isHighOpen }: Bounds): boolean {
  if (!Number.isFinite(number)) return false
  return (isLowOpen ? number > low : number >= low) && (isHighOpen ? number < high : number <= high)
}
