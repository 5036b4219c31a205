/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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

interface Key {
  readonly key: string
  readonly json: string
}

const orders = new Map<string, readonly Key[]>()
const mostOrders = 1000
const mostKeys = 64
const separator = '\n'

/** Keys sorted by code unit, and each as JSON. Objects that are alike are many, so their order is remembered. */
function inOrder(keys: readonly string[]): readonly Key[] {
  const joined = keys.join(separator)
  const known = orders.get(joined)
  // No key of those that are remembered holds a separator: as many keys are the same keys.
  if (known?.length === keys.length) return known
  const order = keys.toSorted(compareCodeUnits).map((key) => ({ key, json: JSON.stringify(key) }))
  if (keys.length > mostKeys || keys.some((key) => key.includes(separator))) return order
  if (orders.size >= mostOrders) orders.clear()
  orders.set(joined, order)
  return order
}
