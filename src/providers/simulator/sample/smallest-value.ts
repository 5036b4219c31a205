import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { listOf } from '../read-json.ts'
import type { FlatSchema } from './flat-schema.ts'
import { flatSchema, mergedFlat } from './flat-schema.ts'
import { hasType, typesOf } from './merged-schema.ts'
import type { Place, Sampling } from './sampling.ts'
import { smallestList } from './smallest-list.ts'
import { smallestNumber } from './smallest-number.ts'
import { smallestObject } from './smallest-object.ts'
import { smallestText } from './smallest-text.ts'

/** Schemas that one search looks at: far above what programs send, and done in milliseconds. */
const mostSteps = 20_000

/**
 * The smallest value that a JSON Schema admits: of alternatives the first that works, of members those that are required,
 * of numbers the one nearest to zero. References are looked up in `root`. A schema that admits nothing, or nothing that is
 * found within the bound, gives an empty object.
 */
export function smallestValue(schema: JsonValue, root: JsonValue = schema): JsonValue {
  const sampling: Sampling = { root, stepsLeft: mostSteps, sample: (part, place) => sampled(part, place, sampling) }
  const references = new Set(schema === root ? ['#'] : [])
  const value = sampling.sample(schema, { references, depth: 0, nth: 0 })
  return value === undefined ? {} : value
}

function sampled(schema: JsonValue | undefined, place: Place, sampling: Sampling): JsonValue | undefined {
  const flat = flatSchema(schema, place, sampling)
  return flat && ofAlternatives(flat, place, sampling)
}

/** Each list of alternatives in turn adds the first that leads to a value. */
function ofAlternatives(flat: FlatSchema, place: Place, sampling: Sampling): JsonValue | undefined {
  const [list, ...others] = flat.alternatives
  const { references } = flat
  if (list === undefined) return ofTypes(flat.schema, { ...place, references }, sampling)
  for (const alternative of list) {
    const chosen = flatSchema(alternative, { ...place, references }, sampling)
    const merged = mergedFlat({ ...flat, alternatives: others }, chosen)
    const value = merged && ofAlternatives(merged, place, sampling)
    if (value !== undefined) return value
  }
  return undefined
}

function ofTypes(schema: JsonObject, place: Place, sampling: Sampling): JsonValue | undefined {
  if (schema['enum'] !== undefined) return listOf(schema['enum']).filter((value) => hasType(value, schema))[place.nth]
  for (const type of wantedTypes(schema)) {
    const value = makers[type]?.(schema, place, sampling)
    if (value !== undefined) return value
  }
  return undefined
}

function wantedTypes(schema: JsonObject): readonly string[] {
  const named = typesOf(schema['type']).filter((type) => Object.hasOwn(makers, type))
  if (named.length > 0) return named
  const implied = Object.keys(schema).flatMap((keyword) => typeOfKeyword[keyword] ?? [])
  return [implied[0] ?? 'object']
}

const typeOfKeyword: Readonly<Record<string, string>> = {
  properties: 'object',
  required: 'object',
  items: 'array',
  prefixItems: 'array',
  minItems: 'array',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
}

type Maker = (schema: JsonObject, place: Place, sampling: Sampling) => JsonValue | undefined

const makers: Readonly<Record<string, Maker>> = {
  string: (schema, { nth }) => smallestText(schema, nth),
  number: (schema, { nth }) => smallestNumber(schema, { nth, isInteger: false }),
  integer: (schema, { nth }) => smallestNumber(schema, { nth, isInteger: true }),
  boolean: (_, { nth }) => [false, true][nth],
  null: (_, { nth }) => (nth === 0 ? null : undefined),
  array: smallestList,
  object: smallestObject,
}
