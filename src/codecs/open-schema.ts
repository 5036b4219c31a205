import type { JsonObject, JsonValue } from '../core/index.ts'
import { isJsonObject } from '../core/index.ts'

/** Members of a schema whose values are schemas, or lists or maps of them. */
const nested: ReadonlySet<string> = new Set(['items', 'anyOf', 'prefixItems', 'additionalProperties'])
const counts: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])

/** JSON Schema of a schema of the provider's own kind: types in capitals, `nullable`, counts that may be strings. */
export function jsonSchema(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(jsonSchema)
  if (!isJsonObject(schema)) return schema
  const { nullable, ...members } = schema
  const plain = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, memberOf(name, value)]))
  return nullable === true && typeof plain['type'] === 'string' ? { ...plain, type: [plain['type'], 'null'] } : plain
}

function memberOf(name: string, value: JsonValue): JsonValue {
  if (name === 'type' && typeof value === 'string') return value.toLowerCase()
  if (name === 'properties' && isJsonObject(value)) return eachSchema(value)
  if (counts.has(name) && typeof value === 'string') return Number(value)
  return nested.has(name) ? jsonSchema(value) : value
}

function eachSchema(properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, jsonSchema(schema)]))
}
