import type { JsonObject } from '../../../core/index.ts'

/** The number of a keyword. Google writes some of them as texts. */
export function numberAt(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword]
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && !Number.isNaN(number) ? number : undefined
}
