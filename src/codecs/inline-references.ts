import type { JsonObject, JsonValue } from '../core/index.ts'
import { isJsonObject } from '../core/index.ts'

/** Members of a schema whose values are maps of schemas, by names of their own. */
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** Members whose values are data. */
const data: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example', 'required'])
/** Members that define schemas for others to refer to. */
const definitions: ReadonlySet<string> = new Set(['$defs', 'definitions'])
/** A definition that many refer to is written anew for each; a schema that would become larger than this keeps its references. */
const mostSchemas = 5000

/**
 * A schema in which definitions stand where they are referred to, since Google refuses most of what stands beside a reference. Only a
 * definition that holds itself is still referred to, by a reference that stands alone. What refers to nothing says the rest of what it says.
 */
export function inlineReferences(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema) || !refers(schema)) return schema
  const state: Inlining = { root: schema, kept: new Map(), left: mostSchemas }
  const whole = inlined(schema, [], state)
  const kept: Record<string, JsonValue> = {}
  // Definitions that hold themselves may name further ones, which join the map meanwhile.
  for (const [pointer, name] of state.kept) kept[name] = inlined(targetOf(schema, pointer) ?? {}, [pointer], state)
  if (state.left <= 0) return schema
  return state.kept.size === 0 || !isJsonObject(whole) ? whole : { ...whole, $defs: kept }
}

interface Inlining {
  readonly root: JsonObject
  /** Definitions that hold themselves, by their pointers: the names that they have in the result. */
  readonly kept: Map<string, string>
  left: number
}

function refers(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(refers)
  if (!isJsonObject(value)) return false
  return typeof value['$ref'] === 'string' || Object.values(value).some(refers)
}

/** `open`: the pointers of the definitions inside of which this stands. */
function inlined(schema: JsonValue, open: readonly string[], state: Inlining): JsonValue {
  state.left -= 1
  if (!isJsonObject(schema) || state.left <= 0) return schema
  const { $ref: pointer, ...rest } = schema
  if (typeof pointer !== 'string') return members(schema, open, state)
  if (open.includes(pointer)) return { $ref: `#/$defs/${nameOf(pointer, state.kept)}` }
  const target = targetOf(state.root, pointer)
  const own = members(rest, open, state)
  if (target === undefined) return own
  const meant = inlined(target, [...open, pointer], state)
  return isJsonObject(meant) && meant['$ref'] === undefined ? { ...meant, ...own } : meant
}

function members(schema: JsonObject, open: readonly string[], state: Inlining): JsonObject {
  const kept = Object.entries(schema).filter(([name]) => !definitions.has(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, memberOf(name, value, { open, state })]))
}

interface Place {
  readonly open: readonly string[]
  readonly state: Inlining
}

function memberOf(name: string, value: JsonValue, { open, state }: Place): JsonValue {
  if (data.has(name)) return value
  if (Array.isArray(value)) return value.map((one: JsonValue) => inlined(one, open, state))
  if (!isJsonObject(value) || !maps.has(name)) return inlined(value, open, state)
  return Object.fromEntries(Object.entries(value).map(([own, one]) => [own, inlined(one, open, state)]))
}

function nameOf(pointer: string, kept: Map<string, string>): string {
  const known = kept.get(pointer)
  if (known !== undefined) return known
  const last = pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll(/[^\w.-]/g, '_') || 'root'
  const name = [...kept.values()].includes(last) ? `${last}_${kept.size}` : last
  kept.set(pointer, name)
  return name
}

/** What a pointer within the document names. */
function targetOf(root: JsonObject, pointer: string): JsonValue | undefined {
  if (!pointer.startsWith('#')) return undefined
  let value: JsonValue | undefined = root
  for (const part of pointer.slice(1).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = value[Number(name)]
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}
