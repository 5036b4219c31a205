import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { isJsonObject, stableJson } from '../../../core/index.ts'
import { listOf, objectOf } from '../read-json.ts'
import { numberAt } from './keyword.ts'

/** One schema that demands what both demand, as far as a smallest value depends on it; undefined where they contradict. */
export function mergedSchemas(one: JsonObject, other: JsonObject): JsonObject | undefined {
  const merged: Record<string, JsonValue> = { ...one }
  for (const [keyword, value] of Object.entries(other)) {
    const before = one[keyword]
    const both = before === undefined ? value : joinedKeyword(keyword, before, value)
    if (both === undefined) return undefined
    merged[keyword] = both
  }
  return merged
}

type Joined = (before: JsonValue, value: JsonValue, keyword: string) => JsonValue | undefined

function joinedKeyword(keyword: string, before: JsonValue, value: JsonValue): JsonValue | undefined {
  const joined = joins[keyword]
  return joined === undefined ? before : joined(before, value, keyword)
}

const higher: Joined = (before, value, keyword) => pickedNumber(before, value, keyword, Math.max)
const lower: Joined = (before, value, keyword) => pickedNumber(before, value, keyword, Math.min)
const allOf: Joined = (before, value) => ({ allOf: [before, value] })

const joins: Readonly<Record<string, Joined>> = {
  type: commonTypes,
  enum: (before, value) => nonEmpty(listOf(before).filter((each) => includesValue(listOf(value), each))),
  required: (before, value) => [...new Set([...listOf(before), ...listOf(value)])],
  properties: joinedProperties,
  items: allOf,
  additionalProperties: (before, value) => (before === false || value === false ? false : { allOf: [before, value] }),
  minimum: higher,
  exclusiveMinimum: higher,
  minLength: higher,
  minItems: higher,
  minProperties: higher,
  maximum: lower,
  exclusiveMaximum: lower,
  maxLength: lower,
  maxItems: lower,
  maxProperties: lower,
  uniqueItems: (before, value) => before === true || value === true,
  multipleOf: (before, value) => commonMultiple(before, value),
}

function pickedNumber(
  before: JsonValue,
  value: JsonValue,
  keyword: string,
  pick: (...numbers: number[]) => number,
): JsonValue {
  const numbers = [before, value].map((each) => numberAt({ [keyword]: each }, keyword))
  return pick(...numbers.filter((each) => each !== undefined))
}

function commonTypes(before: JsonValue, value: JsonValue): JsonValue | undefined {
  const others = typesOf(value)
  return nonEmpty(
    typesOf(before).flatMap((type) => {
      if (others.includes(type)) return [type]
      const narrowed = type === 'number' && others.includes('integer')
      return narrowed || (type === 'integer' && others.includes('number')) ? ['integer'] : []
    }),
  )
}

/** Names of types, in lower case: Google writes them in capitals. */
export function typesOf(type: JsonValue | undefined): readonly string[] {
  const names = Array.isArray(type) ? listOf(type) : [type]
  return names.filter((name) => typeof name === 'string').map((name) => name.toLowerCase())
}

function nonEmpty(values: readonly JsonValue[]): readonly JsonValue[] | undefined {
  return values.length === 0 ? undefined : values
}

function includesValue(values: readonly JsonValue[], value: JsonValue): boolean {
  const written = stableJson(value)
  return values.some((each) => stableJson(each) === written)
}

function joinedProperties(before: JsonValue, value: JsonValue): JsonObject {
  const joined: Record<string, JsonValue> = { ...objectOf(before) }
  for (const [name, schema] of Object.entries(objectOf(value))) {
    const earlier = Object.hasOwn(joined, name) ? joined[name] : undefined
    joined[name] = earlier === undefined ? schema : { allOf: [earlier, schema] }
  }
  return joined
}

function commonMultiple(before: JsonValue, value: JsonValue): JsonValue {
  const [one = 1, other = 1] = [before, value].map((of) => numberAt({ of }, 'of'))
  if (!Number.isInteger(one) || !Number.isInteger(other)) return Math.max(one, other)
  return (one * other) / greatestDivisor(one, other)
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other)
}

/** Whether a value has one of the types of a schema. */
export function hasType(value: JsonValue, schema: JsonObject): boolean {
  const types = typesOf(schema['type'])
  return types.length === 0 || types.some((type) => typeChecks[type]?.(value) ?? true)
}

const typeChecks: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => isJsonObject(value),
  null: (value) => value === null,
}
