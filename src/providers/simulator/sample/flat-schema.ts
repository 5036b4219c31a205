import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { isJsonObject, referenced } from '../../../core/index.ts'
import { listOf } from '../read-json.ts'
import { describedKeywords } from './described-keywords.ts'
import { mergedSchemas } from './merged-schema.ts'
import type { Place, Sampling } from './sampling.ts'

/** A schema without references and `allOf`. */
export interface FlatSchema {
  readonly schema: JsonObject
  /** Of each list one schema applies as well. */
  readonly alternatives: readonly (readonly JsonValue[])[]
  /** The references that lead to it and into it. */
  readonly references: ReadonlySet<string>
}

const anything: FlatSchema = { schema: {}, alternatives: [], references: new Set() }

/** Undefined where nothing fits, or a reference leads back to itself. */
export function flatSchema(schema: JsonValue | undefined, place: Place, sampling: Sampling): FlatSchema | undefined {
  sampling.stepsLeft -= 1
  if (schema === false || sampling.stepsLeft < 0 || place.depth > deepest) return undefined
  if (!isJsonObject(schema)) return { ...anything, references: place.references }
  const { $ref: reference, allOf, anyOf, oneOf, const: only, ...own } = { ...describedKeywords(schema), ...schema }
  const alternatives = [anyOf, oneOf].map((list) => listOf(list)).filter((list) => list.length > 0)
  const plain = only === undefined ? own : mergedSchemas(own, { enum: [only] })
  if (plain === undefined) return undefined
  let flat: FlatSchema | undefined = { schema: plain, alternatives, references: place.references }
  for (const part of listOf(allOf)) flat &&= mergedFlat(flat, flatSchema(part, deeper(place), sampling))
  return typeof reference === 'string' ? flat && mergedFlat(flat, target(reference, place, sampling)) : flat
}

/** Schemas that contain each other, far more than programs write. */
const deepest = 200

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 }
}

function target(reference: string, place: Place, sampling: Sampling): FlatSchema | undefined {
  if (place.references.has(reference)) return undefined
  const references = new Set([...place.references, reference])
  return flatSchema(referenced(sampling.root, reference), { ...deeper(place), references }, sampling)
}

export function mergedFlat(one: FlatSchema, other: FlatSchema | undefined): FlatSchema | undefined {
  const schema = other && mergedSchemas(one.schema, other.schema)
  return (
    schema && {
      schema,
      alternatives: [...one.alternatives, ...other.alternatives],
      references: new Set([...one.references, ...other.references]),
    }
  )
}
