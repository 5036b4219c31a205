import type { JsonObject, JsonValue, ToolDefinition } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'

const mostPurposeChars = 160
const mostParameters = 12
const mostValues = 6

/** A tool in one line: `name(city: string, unit?: "C" | "F"): what it does`. It says enough for a call of a plain tool. */
export function toolLine({
  name,
  description,
  schema,
}: Pick<ToolDefinition, 'name' | 'description' | 'schema'>): string {
  return `${name}(${parametersOf(schema)}): ${purposeOf(description)}`
}

/** The first sentence, at most. */
function purposeOf(description: string): string {
  const [first = ''] = description.trim().split(/(?<=[.!?])\s|\n/, 1)
  return first.length > mostPurposeChars ? `${first.slice(0, mostPurposeChars - 1).toWellFormed()}…` : first
}

function parametersOf(schema: JsonValue): string {
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {}
  const wanted = isJsonObject(schema) && Array.isArray(schema['required']) ? schema['required'] : []
  const isRequired = (name: string): boolean => wanted.includes(name)
  const names = Object.keys(properties)
  const sorted = [...names.filter(isRequired), ...names.filter((name) => !isRequired(name))]
  const shown = sorted.slice(0, mostParameters).map((name) => {
    return `${name}${isRequired(name) ? '' : '?'}: ${typeOf(properties[name])}`
  })
  return [...shown, ...(sorted.length > mostParameters ? ['…'] : [])].join(', ')
}

function typeOf(schema: JsonValue | undefined): string {
  if (!isJsonObject(schema)) return 'any'
  const { enum: values, type, items } = schema
  if (Array.isArray(values)) return valuesOf(values)
  if (type === 'array') return `${typeOf(items)}[]`
  if (Array.isArray(type)) return type.map(String).join(' | ')
  if (typeof type === 'string') return type
  return alternativesOf(schema)
}

function valuesOf(values: readonly JsonValue[]): string {
  const shown = values.slice(0, mostValues).map((value) => JSON.stringify(value))
  return [...shown, ...(values.length > mostValues ? ['…'] : [])].join(' | ')
}

function alternativesOf({ anyOf, oneOf }: JsonObject): string {
  const list = Array.isArray(anyOf) ? anyOf : oneOf
  if (!Array.isArray(list)) return 'any'
  return [...new Set(list.slice(0, mostValues).map((one: JsonValue) => shallowType(one)))].join(' | ')
}

/** Alternatives of alternatives are not told. */
function shallowType(schema: JsonValue): string {
  return isJsonObject(schema) && typeof schema['type'] === 'string' ? schema['type'] : 'any'
}
