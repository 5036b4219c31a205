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
  const members = value as Readonly<Record<string, unknown>>
  let json = ''
  // Without a comparison of one's own, strings are sorted by code unit.
  for (const key of Object.keys(members).toSorted()) {
    const member = members[key]
    if (member !== undefined) json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${stableJson(member)}`
  }
  return `{${json}}`
}
