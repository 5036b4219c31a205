import { isJsonObject, stableJson } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'

/** A schema of more characters is refused, with its tool. */
export const mostSchemaChars = 65_536
const deepest = 32

/** A schema as a registry keeps it. */
export interface BoundedSchema {
  readonly schema: JsonValue
  /** Why it is `{}`. */
  readonly warning?: string
  /** Why its tool is not taken at all. */
  readonly refused?: string
}

const kinds = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])

/**
 * A schema of a stranger: one that is too large is refused, and one that is invalid, refers to itself or is nested too deeply
 * becomes `{}`, which accepts all arguments.
 */
export function boundedSchema(schema: unknown): BoundedSchema {
  if (schema === undefined) return { schema: {} }
  if (!isJsonObject(schema)) return { schema: {}, warning: 'The schema is no object, and was left out.' }
  const depth = depthOf(schema, 0)
  if (depth > deepest)
    return { schema: {}, warning: `The schema is nested deeper than ${deepest} levels, and was left out.` }
  const chars = stableJson(schema).length
  if (chars > mostSchemaChars)
    return { schema: {}, refused: `The schema has ${chars} characters; ${mostSchemaChars} are allowed.` }
  const fault = faultIn(schema, schema)
  if (fault !== undefined) return { schema: {}, warning: `The schema ${fault}, and was left out.` }
  return { schema }
}

function depthOf(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null || depth > deepest * 2) return depth
  let most = depth
  for (const each of Object.values(value)) most = Math.max(most, depthOf(each, depth + 1))
  return most
}

/** What makes a schema unusable; undefined where nothing does. */
function faultIn(schema: JsonObject, root: JsonObject): string | undefined {
  const { type } = schema
  const isInput = schema === root && type !== undefined && type !== 'object'
  if (isInput) return 'is not of the type object'
  for (const part of partsOf(schema)) {
    const named = Array.isArray(part['type']) ? part['type'] : [part['type'] ?? 'object']
    if (!named.every((kind) => typeof kind === 'string' && kinds.has(kind))) return 'names a type that there is not'
    if (part['properties'] !== undefined && !isJsonObject(part['properties']))
      return 'has properties that are no object'
    if (part['required'] !== undefined && !isNames(part['required'])) return 'has a required that is no list of names'
  }
  return isCircular(root) ? 'refers to itself' : undefined
}

/** All objects of a schema that are schemas, as far as their place tells. */
function* partsOf(schema: JsonObject): Iterable<JsonObject> {
  yield schema
  for (const name of ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains']) {
    const part = schema[name]
    if (isJsonObject(part)) yield* partsOf(part)
  }
  for (const name of ['allOf', 'anyOf', 'oneOf', 'prefixItems']) {
    const parts = schema[name]
    if (Array.isArray(parts)) for (const part of parts) if (isJsonObject(part)) yield* partsOf(part)
  }
  for (const name of ['properties', '$defs', 'definitions', 'patternProperties']) {
    const parts = schema[name]
    if (isJsonObject(parts)) for (const part of Object.values(parts)) if (isJsonObject(part)) yield* partsOf(part)
  }
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

/** Whether a reference leads to a part of the schema that holds the reference. */
function isCircular(root: JsonObject): boolean {
  const done = new Set<JsonObject>()
  const open = new Set<JsonObject>()
  const leadsBack = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(leadsBack)
    if (!isJsonObject(value) || done.has(value)) return false
    if (open.has(value)) return true
    open.add(value)
    const target = typeof value['$ref'] === 'string' ? partAt(root, value['$ref']) : undefined
    const found = leadsBack(target) || Object.values(value).some(leadsBack)
    open.delete(value)
    done.add(value)
    return found
  }
  return leadsBack(root)
}

function partAt(root: JsonObject, reference: string): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let at: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as JsonObject)[name] : undefined
  }
  return at
}
