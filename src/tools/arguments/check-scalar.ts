import { didYouMean, stableJson } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { breaksPattern } from './breaks-pattern.ts'
import type { Checked, CheckState, Fault } from './check-state.ts'
import { shown } from './check-state.ts'

const kindWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

export function kindFault({ value, path }: Checked, schema: JsonObject): Fault | undefined {
  const kinds = kindsOf(schema['type'])
  if (kinds.length === 0 || kinds.some((kind) => isOfKind(value, kind))) return undefined
  const expected = kinds.map((kind) => kindWords[kind]).join(' or ')
  return { path, expected, given: shown(value), isOtherKind: true }
}

/** The types a schema names. One that it does not know lets everything through. */
function kindsOf(type: unknown): readonly string[] {
  const kinds = Array.isArray(type) ? type : [type]
  const known = kinds.filter((kind) => typeof kind === 'string' && Object.hasOwn(kindWords, kind))
  return known.length === kinds.length ? known : []
}

function isOfKind(value: unknown, kind: string): boolean {
  if (kind === 'integer') return Number.isInteger(value)
  if (kind === 'null') return value === null
  if (kind === 'array') return Array.isArray(value)
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === kind
}

const mostShownValues = 30
const longestValues = 600

/** `enum` and `const`. */
export function allowedFaults({ value, path }: Checked, schema: JsonObject, state: CheckState): readonly Fault[] {
  const allowed = Object.hasOwn(schema, 'const') ? [schema['const']] : schema['enum']
  if (!Array.isArray(allowed)) return []
  state.stepsLeft -= allowed.length
  const isPlain = typeof value !== 'object' || value === null
  const written = isPlain ? undefined : stableJson(value)
  if (allowed.some((each) => (isPlain ? each === value : stableJson(each) === written))) return []
  const words = allowed.slice(0, mostShownValues).map((each) => JSON.stringify(each))
  const more = allowed.length > words.length ? ` and ${allowed.length - words.length} more` : ''
  const list = `${words.join(', ').slice(0, longestValues)}${more}`
  const meant = typeof value === 'string' ? didYouMean(value, texts(allowed)).trim() : ''
  const expected = `${allowed.length === 1 ? '' : 'one of '}${list}${meant === '' ? '' : ` (${meant})`}`
  return [{ path, expected, given: shown(value) }]
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.slice(0, mostShownValues).filter((each) => typeof each === 'string')
}

export function textFaults({ path }: Checked, value: string, schema: JsonObject): readonly Fault[] {
  const { minLength, maxLength, pattern } = schema
  const length = typeof minLength === 'number' || typeof maxLength === 'number' ? codePoints(value) : 0
  const given = `${length} characters`
  if (typeof minLength === 'number' && length < minLength)
    return [{ path, expected: `a text of at least ${minLength} characters`, given }]
  if (typeof maxLength === 'number' && length > maxLength)
    return [{ path, expected: `a text of at most ${maxLength} characters`, given }]
  if (typeof pattern === 'string' && breaksPattern(value, pattern))
    return [{ path, expected: `a text that matches the pattern ${pattern}`, given: shown(value) }]
  return []
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

export function numberFaults({ path }: Checked, value: number, schema: JsonObject): readonly Fault[] {
  const fails = (words: string) => [{ path, expected: `a number ${words}`, given: shown(value) }]
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema
  if (typeof minimum === 'number' && (above === true ? value <= minimum : value < minimum))
    return fails(above === true ? `above ${minimum}` : `of at least ${minimum}`)
  if (typeof maximum === 'number' && (below === true ? value >= maximum : value > maximum))
    return fails(below === true ? `below ${maximum}` : `of at most ${maximum}`)
  if (typeof above === 'number' && value <= above) return fails(`above ${above}`)
  if (typeof below === 'number' && value >= below) return fails(`below ${below}`)
  if (typeof multipleOf === 'number' && multipleOf > 0 && !isMultiple(value, multipleOf))
    return fails(`that is a multiple of ${multipleOf}`)
  return []
}

/** Within what binary fractions lose: .3 is a multiple of .1. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
}
