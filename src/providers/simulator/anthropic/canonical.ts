import type { JsonObject } from '../../../core/index.ts'
import { compareCodeUnits } from '../../../core/index.ts'

/**
 * A block as the provider reads it: markers and absent members do not count, nor does the order of its own members;
 * the order inside them (tool inputs, schemas) does.
 */
export function canonicalBlock(block: JsonObject): string {
  const members = Object.entries(block)
    .filter(([key, value]) => key !== 'cache_control' && value !== null)
    .toSorted(([a], [b]) => compareCodeUnits(a, b))
  return JSON.stringify(Object.fromEntries(members), (key, value: unknown) =>
    key === 'cache_control' ? undefined : value,
  )
}
