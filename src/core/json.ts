/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text; undefined where it is none. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text, and of one that is JSON what stands behind its escapes: every string in it, names too. */
export function jsonReadings(text: string): readonly string[] {
  try {
    return [text, ...stringsIn(JSON.parse(text))]
  } catch {
    return [text]
  }
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => [name, ...stringsIn(each)])
}

/** Orders strings by code unit, the same on every machine and locale. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Canonical JSON: keys sorted by code unit, no white space, `undefined` members left out.
 * Equal values give equal bytes whatever order their keys came in.
 */
export function stableJson(value: unknown): string {
  if (typeof value === 'string') return textJson(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`
  const values = value as Readonly<Record<string, unknown>>
  let members = ''
  for (const { key, json } of inOrder(Object.keys(values))) {
    const member = values[key]
    if (member !== undefined) members += `${members === '' ? '' : ','}${json}:${stableJson(member)}`
  }
  return `{${members}}`
}

/** Names, hashes and the like are most of what is written; JSON.stringify takes long to begin. */
const shortChars = 64
const needsNoEscape = /^[ !#-[\]-~]*$/

function textJson(text: string): string {
  return text.length <= shortChars && needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text)
}

interface Key {
  readonly key: string
  readonly json: string
}

/** Keys as objects have them, and in order. */
interface Order {
  readonly names: readonly string[]
  readonly keys: readonly Key[]
}

/** By the first key: few objects of different kinds begin alike. */
const orders = new Map<string, Order[]>()
const mostOrders = 250
const mostAlike = 16
const mostKeys = 64

/** Keys sorted by code unit, and each as JSON. Objects that are alike are many, so their order is remembered. */
function inOrder(names: readonly string[]): readonly Key[] {
  const [first = ''] = names
  const alike = orders.get(first) ?? []
  const known = alike.find((order) => isSame(order.names, names))
  if (known) return known.keys
  const keys = names.toSorted(compareCodeUnits).map((key) => ({ key, json: JSON.stringify(key) }))
  if (names.length > mostKeys) return keys
  if (alike.length === mostAlike) alike.length = 0
  if (orders.size >= mostOrders) orders.clear()
  alike.push({ names, keys })
  orders.set(first, alike)
  return keys
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false
  return true
}
