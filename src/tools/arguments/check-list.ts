import { stableJson } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import type { Checked, CheckState, Fault } from './check-state.ts'

/** Elements that are looked at; those behind them pass. */
const mostElements = 10_000

export function listFaults(
  checked: Checked,
  value: readonly unknown[],
  schema: JsonObject,
  state: CheckState,
): readonly Fault[] {
  const size = sizeFault(checked, value.length, schema)
  if (size !== undefined) return [size]
  const found: Fault[] = []
  for (const [at, element] of value.slice(0, mostElements).entries()) {
    const part = elementSchema(schema, at)
    if (part === undefined || state.stepsLeft < 0) break
    found.push(...state.check({ value: element, path: `${checked.path}[${at}]`, depth: 0 }, part, state))
    if (found.length > 0) break
  }
  return found.length > 0 ? found : twinFaults(checked, value, schema, state)
}

function sizeFault({ path }: Checked, length: number, { minItems, maxItems }: JsonObject): Fault | undefined {
  const given = `a list of ${length}`
  if (typeof minItems === 'number' && length < minItems)
    return { path, expected: `a list of at least ${minItems} elements`, given }
  if (typeof maxItems === 'number' && length > maxItems)
    return { path, expected: `a list of at most ${maxItems} elements`, given }
  return undefined
}

/** The schema of an element: by its place (`prefixItems`, or a list of `items` in older drafts), else the one of all. */
function elementSchema({ prefixItems, items, additionalItems }: JsonObject, at: number): unknown {
  const places = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  if (at < places.length) return places[at]
  return Array.isArray(items) ? additionalItems : items
}

function twinFaults(
  { path }: Checked,
  value: readonly unknown[],
  { uniqueItems }: JsonObject,
  state: CheckState,
): readonly Fault[] {
  if (uniqueItems !== true) return []
  state.stepsLeft -= value.length
  const seen = new Set<string>()
  for (const [at, element] of value.slice(0, mostElements).entries()) {
    const key = stableJson(element)
    if (seen.has(key)) return [{ path, expected: 'a list without repeated elements', given: `a repeated one at ${at}` }]
    seen.add(key)
  }
  return []
}
