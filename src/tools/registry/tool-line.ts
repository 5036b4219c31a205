import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import type { RegistryTool } from './registry-tool.ts'

const mostParameters = 12
const mostAllowed = 6
const longestKind = 60

/** A tool in one line: its name, its parameters with types, required ones first, and what it is for. */
export function toolLine({
  calledAs,
  inputSchema,
  purpose,
}: Pick<RegistryTool, 'calledAs' | 'inputSchema' | 'purpose'>): string {
  return `${calledAs}(${parametersOf(inputSchema)}): ${purpose}`
}

function parametersOf(schema: JsonValue): string {
  const { properties = {}, required = [] } = isJsonObject(schema) ? schema : {}
  if (!isJsonObject(properties)) return ''
  const needed = new Set(Array.isArray(required) ? required : [])
  const names = Object.keys(properties)
  const sorted = [...names.filter((name) => needed.has(name)), ...names.filter((name) => !needed.has(name))]
  const shown = sorted.slice(0, mostParameters).map((name) => {
    return `${name}${needed.has(name) ? '' : '?'}: ${kindOf(properties[name])}`
  })
  return [...shown, ...(sorted.length > shown.length ? ['...'] : [])].join(', ')
}

function kindOf(part: unknown): string {
  if (!isJsonObject(part)) return 'any'
  const allowed = part['const'] === undefined ? part['enum'] : [part['const']]
  if (Array.isArray(allowed)) return enumeration(allowed)
  const kinds = Array.isArray(part['type']) ? part['type'].join('|') : part['type']
  if (kinds === 'array') return `${kindOf(part['items'])}[]`
  if (typeof kinds === 'string') return kinds
  const branches = alternatives(part)
  return branches.length === 0 ? 'any' : branches.map(kindOf).join('|').slice(0, longestKind)
}

function alternatives(part: JsonObject): readonly unknown[] {
  const branches = part['anyOf'] ?? part['oneOf']
  return Array.isArray(branches) ? branches.slice(0, mostAllowed) : []
}

function enumeration(allowed: readonly unknown[]): string {
  const shown = allowed.slice(0, mostAllowed).map((value) => JSON.stringify(value))
  return [...shown, ...(allowed.length > shown.length ? ['...'] : [])].join('|').slice(0, longestKind)
}
