import { invalidInput } from './errors.ts'
import type { JsonObject } from './json.ts'
import { didYouMean } from './suggest.ts'
import { slip, unknown, unknownMember } from './unknown-members.ts'
import type { Problem } from './unknown-members.ts'

export interface CheckOptions {
  /** Members that nobody knows are problems, too: for documents, where they are mistakes. */
  readonly strict?: boolean
  /** So are those that are a known one but for a letter: for values of programs, which may have members of their own. */
  readonly slips?: boolean
}

/** What a value must be; validation and documents derive from it. Pure. */
export interface Shape<Value> {
  /** In words that follow "a value is", such as `a number from 0 to 1`. */
  readonly about: string
  /** The same as JSON Schema. */
  readonly schema: JsonObject
  /** The first problem; undefined where there is none. */
  problem(value: unknown, options: CheckOptions): Problem | undefined
  /** Only a type. */
  readonly value?: Value
}

/** The shape of a member that may be absent. */
export interface Optional<Value> {
  readonly optional: Shape<Value>
}

export function optional<Value>(shape: Shape<Value>): Optional<Value> {
  return { optional: shape }
}

/** A shape or an optional one for every member of a type, none left out. */
export type Members<Value> = {
  readonly [Name in keyof Value]-?: undefined extends Value[Name]
    ? Optional<Exclude<Value[Name], undefined>>
    : Shape<Value[Name]>
}

/** An object of known members; the list of them is that of its type. */
export interface ObjectShape<Value> extends Shape<Value> {
  readonly members: Members<Value>
  readonly names: readonly (keyof Value & string)[]
}

/** Throws `invalid-input` that names the first thing that is not as the shape says. */
export function check(shape: Shape<unknown>, value: unknown, at: string, options: CheckOptions = {}): void {
  const found = shape.problem(value, options)
  if (found !== undefined) throw invalidInput(pathOf(at, found.field) || 'input', found.message, found.remedy)
}

/** Throws `invalid-input` that names the first member of an object that is not one of these, with the one that was meant. */
export function checkMembers(value: object, names: ReadonlySet<string>, at = ''): void {
  if (!isObject(value))
    throw invalidInput(at || 'input', 'is not an object', `Give an object with some of ${[...names].join(', ')}.`)
  for (const member in value) {
    if (names.has(member)) continue
    const { message, remedy } = unknown(member, [...names])
    throw invalidInput(pathOf(at, member), message, remedy)
  }
}

function simple<Value>(about: string, schema: JsonObject, accepts: (value: unknown) => boolean): Shape<Value> {
  return {
    about,
    schema,
    problem: (value) =>
      accepts(value) ? undefined : { field: '', message: wrong(value, about), remedy: `Give ${about}.` },
  }
}

function wrong(value: unknown, about: string): string {
  return value === undefined ? 'is missing' : `is not ${about}${about.includes('number') ? given(value) : ''}`
}

/** What was given in place of a number; of texts only that they are. */
function given(value: unknown): string {
  if (typeof value === 'string') return ', but a text'
  if (typeof value === 'number') return Object.is(value, -0) ? ', but -0' : `, but ${value}`
  return value === null ? ', but null, as JSON writes what is no number' : ''
}

/** More tokens than any window has; larger figures are taken for mistakes. */
const largestCount = 1_000_000_000

export const text: Shape<string> = simple('a text', { type: 'string' }, (value) => typeof value === 'string')

export const name: Shape<string> = simple(
  'a name',
  { type: 'string', minLength: 1 },
  (value) => typeof value === 'string' && value !== '',
)

export const flag: Shape<boolean> = simple('true or false', { type: 'boolean' }, (value) => typeof value === 'boolean')

export const count = countFrom(0)

export function countFrom(least: number): Shape<number> {
  return simple(
    `a whole number from ${least} to ${largestCount}`,
    { type: 'integer', minimum: least, maximum: largestCount },
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= largestCount,
  )
}

export const share: Shape<number> = simple(
  'a number from 0 to 1',
  { type: 'number', minimum: 0, maximum: 1 },
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
)

export const amount: Shape<number> = simple(
  'a number from 0',
  { type: 'number', minimum: 0 },
  (value) => typeof value === 'number' && value >= 0 && value < Infinity,
)

export const positive: Shape<number> = simple(
  'a number above 0',
  { type: 'number', exclusiveMinimum: 0 },
  (value) => typeof value === 'number' && value > 0 && value < Infinity,
)

export const finite: Shape<number> = simple('a number', { type: 'number' }, (value) => Number.isFinite(value))

export function between(least: number, most: number): Shape<number> {
  return simple(
    `a number from ${least} to ${most}`,
    { type: 'number', minimum: least, maximum: most },
    (value) => typeof value === 'number' && value >= least && value <= most,
  )
}

export function orNull<Value>(shape: Shape<Value>): Shape<Value | null> {
  return {
    about: `${shape.about}, or null`,
    schema: { anyOf: [shape.schema, { type: 'null' }] },
    problem: (value, options) => (value === null ? undefined : shape.problem(value, options)),
  }
}

export function oneOf<const Words extends readonly (string | number)[]>(words: Words): Shape<Words[number]> {
  const known = new Set<unknown>(words)
  const about = `one of ${words.join(', ')}`
  return {
    about,
    schema: { enum: words },
    problem(value) {
      if (known.has(value)) return undefined
      const meant = typeof value === 'string' ? didYouMean(value, words.map(String)) : ''
      return {
        field: '',
        message: wrong(value, about),
        remedy: meant === '' ? `Give ${about}.` : `${meant}Correct it.`,
      }
    },
  }
}

export function list<Value>(element: Shape<Value>): Shape<readonly Value[]> {
  const about = `a list, each ${element.about}`
  return {
    about,
    schema: { type: 'array', items: element.schema },
    problem(value, options) {
      if (!Array.isArray(value)) return { field: '', message: wrong(value, 'a list'), remedy: `Give ${about}.` }
      for (let index = 0; index < value.length; index += 1) {
        const found = element.problem(value[index], options)
        if (found !== undefined) return below(`[${index}]`, found)
      }
      return undefined
    },
  }
}

export function pair<Value>(element: Shape<Value>): Shape<readonly [Value, Value]> {
  const about = `two values, each ${element.about}`
  const both = list(element)
  return {
    about,
    schema: { type: 'array', items: element.schema, minItems: 2, maxItems: 2 },
    problem: (value, options) =>
      Array.isArray(value) && value.length !== 2
        ? { field: '', message: `is not ${about}`, remedy: `Give ${about}.` }
        : both.problem(value, options),
  }
}

/** An object whose member names are the caller's own. */
export function record<Value>(element: Shape<Value>): Shape<Readonly<Record<string, Value>>> {
  return {
    about: `an object of which every member is ${element.about}`,
    schema: { type: 'object', additionalProperties: element.schema },
    problem(value, options) {
      if (!isObject(value)) return notAnObject(value, 'one member per name')
      for (const [key, member] of Object.entries(value)) {
        const found = element.problem(member, options)
        if (found !== undefined) return below(key, found)
      }
      return undefined
    },
  }
}

export function object<Value>(members: Members<Value>): ObjectShape<Value> {
  const names = Object.keys(members) as (keyof Value & string)[]
  const parts = names.map((member) => {
    const field: Shape<unknown> | Optional<unknown> = members[member]
    return 'optional' in field
      ? { member, shape: field.optional, required: false }
      : { member, shape: field, required: true }
  })
  const required = parts.filter((part) => part.required).map(({ member }) => member)
  const known: ReadonlySet<string> = new Set(names)
  return {
    about: `an object with ${required.length === 0 ? names.join(', ') : required.join(', ')}`,
    schema: {
      type: 'object',
      properties: Object.fromEntries(parts.map(({ member, shape }) => [member, shape.schema])),
      required,
      additionalProperties: false,
    },
    members,
    names,
    problem(value, options) {
      if (!isObject(value)) return notAnObject(value, `at least ${required.join(', ') || names.join(', ')}`)
      for (const part of parts) {
        const member = value[part.member]
        if (member === undefined && !part.required) continue
        const found = part.shape.problem(member, options)
        if (found !== undefined) return below(part.member, found)
      }
      if (options.strict === true) return unknownMember(value, names)
      return options.slips === true ? slip(value, names, known) : undefined
    },
  }
}

/** A text of one shape, or anything else of another. */
export function textOr<Value>(words: Shape<string>, other: Shape<Value>): Shape<string | Value> {
  return {
    about: `${words.about}, or ${other.about}`,
    schema: { anyOf: [words.schema, other.schema] },
    problem: (value, options) => (typeof value === 'string' ? words : other).problem(value, options),
  }
}

/** Objects of several kinds, of which one member tells the kind; `head` is what all of them hold. */
export function tagged<Value>(
  head: Shape<unknown>,
  tag: keyof Value & string,
  kinds: Readonly<Record<string, Shape<Value>>>,
): Shape<Value> {
  return {
    about: head.about,
    schema: { anyOf: Object.values(kinds).map(({ schema }) => schema) },
    problem(value, options) {
      const found = head.problem(value, {})
      if (found !== undefined || !isObject(value)) return found
      return kinds[String(value[tag])]?.problem(value, options)
    },
  }
}

/** Some of an object's members; none must be there. */
export function partial<Value>({ members, names }: ObjectShape<Value>): ObjectShape<Partial<Value>> {
  const loose = names.map((member) => {
    const field: Shape<unknown> | Optional<unknown> = members[member]
    return [member, 'optional' in field ? field : optional(field)]
  })
  // Every member of the type is there, and every one is optional.
  return object(Object.fromEntries(loose) as Members<Partial<Value>>)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function notAnObject(value: unknown, wanted: string): Problem {
  return {
    field: '',
    message: wrong(value, 'an object'),
    remedy: `Give an object with ${wanted}.`,
  }
}

/** A problem of a member, or of an element, as one of the value that holds it. */
function below(member: string, found: Problem): Problem {
  return { ...found, field: pathOf(member, found.field) }
}

function pathOf(at: string, field: string): string {
  if (at === '' || field === '') return at + field
  return field.startsWith('[') ? at + field : `${at}.${field}`
}
