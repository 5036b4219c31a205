import { isJsonObject, jsonValue } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'

/** The object in a member; empty where there is none. */
export function objectIn(value: unknown, name?: string): JsonObject {
  const inner = name === undefined ? value : isJsonObject(value) ? value[name] : undefined
  return isJsonObject(inner) ? inner : {}
}

/** The objects of a list in a member. */
export function objectsIn(value: unknown, name?: string): readonly JsonObject[] {
  const inner: unknown = name === undefined ? value : isJsonObject(value) ? value[name] : undefined
  return Array.isArray(inner) ? inner.filter(isJsonObject) : []
}

/** The first of these members that is a text with characters in it. */
export function textIn(value: unknown, ...names: readonly string[]): string | undefined {
  if (!isJsonObject(value)) return undefined
  for (const name of names) {
    const text = value[name]
    if (typeof text === 'string' && text !== '') return text
  }
  return undefined
}

/** What a text says that is itself JSON; anything else as it is. Exporters write bodies as text. */
export function unquoted(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  return jsonValue(value) ?? value
}

const withoutZone = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/** A time of an exporter in milliseconds: ISO 8601 (UTC where no zone is said), seconds, milliseconds, micro- or nanoseconds. */
export function millisecondsOf(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^\d+(?:\.\d+)?$/.test(value)) {
    const at = Date.parse(withoutZone.test(value) ? `${value.replace(' ', 'T')}Z` : value)
    return Number.isFinite(at) ? at : undefined
  }
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  if (!Number.isFinite(number) || number <= 0) return undefined
  if (number < 1e11) return number * 1000
  if (number < 1e14) return number
  return number < 1e17 ? number / 1e3 : number / 1e6
}
