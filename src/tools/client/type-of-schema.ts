import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'

const deepest = 12

/** The TypeScript type of what a JSON Schema describes; `unknown` where it is not simple. */
export function typeOfSchema(schema: JsonValue, depth = 0): string {
  if (!isJsonObject(schema) || depth > deepest) return 'unknown'
  const allowed = schema['const'] === undefined ? schema['enum'] : [schema['const']]
  if (Array.isArray(allowed)) return allowed.map(literal).join(' | ') || 'never'
  const branches = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(branches) && branches.length > 0)
    return union(branches.map((branch) => typeOfSchema(branch, depth + 1)))
  const kinds = Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
  return union(kinds.map((kind) => typeOfKind(kind, schema, depth)))
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)]
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ')
}

function literal(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : textLiteral(value)
}

/** JSON is TypeScript but for two line separators. */
export function textLiteral(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
}

function typeOfKind(kind: unknown, schema: JsonObject, depth: number): string {
  if (kind === 'string' || kind === 'boolean' || kind === 'null') return kind
  if (kind === 'number' || kind === 'integer') return 'number'
  if (kind === 'array') return `readonly (${typeOfSchema(schema['items'] ?? null, depth + 1)})[]`
  return kind === 'object' || isJsonObject(schema['properties']) ? objectType(schema, depth) : 'unknown'
}

function objectType(schema: JsonObject, depth: number): string {
  const { properties, required, additionalProperties } = schema
  if (!isJsonObject(properties) || Object.keys(properties).length === 0)
    return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
  const needed = new Set(Array.isArray(required) ? required : [])
  const indent = '  '.repeat(depth + 1)
  const members = Object.entries(properties).map(([name, part]) => {
    return `${indent}readonly ${textLiteral(name)}${needed.has(name) ? '' : '?'}: ${typeOfSchema(part, depth + 1)}`
  })
  return `{\n${members.join('\n')}\n${'  '.repeat(depth)}}`
}
