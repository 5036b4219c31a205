import type { JsonObject } from './json.ts'
import { isJsonObject } from './json.ts'
import { scanJson } from './scan-json.ts'

/** The value of a JSON text. Throws `invalid-json` with the place where it stops being JSON, which the platform's parser does not always tell. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    scanJson(text)
    throw error
  }
}

/** The object that a JSON text holds; undefined where it holds another value, or is no JSON. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
