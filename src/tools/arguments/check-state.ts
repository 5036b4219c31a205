import type { JsonValue } from '../../core/index.ts'

/** One thing that is wrong with a value. */
export interface Fault {
  /** Where in the arguments: `filters[2].name`; empty for the arguments themselves. */
  readonly path: string
  /** What the schema allows there, in words that follow "must be". */
  readonly expected: string
  /** What stands there, shortened. */
  readonly given: string
  /** The value has another type than the schema allows; tells which branch of an alternative was meant. */
  readonly isOtherKind?: boolean
}

/** What one check shares: the schema that references point into, and what it may still cost. */
export interface CheckState {
  readonly root: JsonValue
  /** Goes down with each schema that is looked at. A check that has used it up accepts the arguments. */
  stepsLeft: number
  readonly check: CheckSchema
}

/** A value and what is known of its place. */
export interface Checked {
  readonly value: unknown
  readonly path: string
  /** Schemas that were entered without going further into the arguments; bounds references that lead to themselves. */
  readonly depth: number
}

/** Checks a value against a schema; the faults, at most a few. */
type CheckSchema = (checked: Checked, schema: unknown, state: CheckState) => readonly Fault[]

export function memberPath(path: string, name: string): string {
  const plain = /^[A-Za-z_$][\w$-]*$/.test(name) ? name : JSON.stringify(name.slice(0, longestName))
  return path === '' ? plain : `${path}.${plain}`
}

const longestName = 100
const longestGiven = 60

/** A value as a message shows it: short, and of long ones only the kind and the size. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (value === null) return 'null'
  if (typeof value === 'string' && value.length > longestGiven) return `a text of ${value.length} characters`
  const kind = typeof value === 'string' ? 'the text' : typeof value === 'number' ? 'the number' : 'the boolean'
  return `${kind} ${JSON.stringify(value)}`
}
