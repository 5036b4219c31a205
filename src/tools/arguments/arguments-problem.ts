import type { JsonValue } from '../../core/index.ts'
import type { CheckState, Fault } from './check-state.ts'
import { faultsOf } from './check-value.ts'

/** Schemas that one check looks at: far above what real arguments need, and done in milliseconds. */
const mostSteps = 100_000
/** Faults that one message names. */
const mostNamed = 5

/**
 * What is wrong with the arguments of a call, in words that a model can act on; undefined where they fit.
 * An empty text stands for no arguments. The time is bounded for any schema: what cannot be judged within it
 * is accepted, since the tool itself judges again.
 */
export function argumentsProblem(schema: JsonValue, argumentsJson: string): string | undefined {
  let value: unknown
  try {
    value = argumentsJson.trim() === '' ? {} : JSON.parse(argumentsJson)
  } catch {
    return 'The arguments are no JSON. Send one JSON object, with all quotes and brackets closed.'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The arguments must be one JSON object with a member for each parameter. Send such an object.'
  const faults = boundedFaults(schema, value)
  return faults.length === 0 ? undefined : worded(faults)
}

function boundedFaults(schema: JsonValue, value: unknown): readonly Fault[] {
  const state: CheckState = { root: schema, stepsLeft: mostSteps, check: faultsOf }
  try {
    const faults = faultsOf({ value, path: '', depth: 0 }, schema, state)
    return state.stepsLeft < 0 ? [] : faults
  } catch (error) {
    // Arguments that are nested deeper than the stack.
    if (error instanceof RangeError) return []
    throw error
  }
}

function worded(faults: readonly Fault[]): string {
  const named = faults.slice(0, mostNamed).map(({ path, expected, given }) => {
    const place = path === '' ? 'The arguments' : `\`${path}\``
    return `${place} must be ${expected}; given: ${given}.`
  })
  return `The arguments do not fit the tool's schema. ${named.join(' ')} Correct this and call the tool again.`
}
