import type { JsonObject, JsonValue } from '../core/index.ts'
import { isJsonObject } from '../core/index.ts'

export function stringIn(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}

/** The objects of a list; none where it is no list. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
