import { isJsonObject, referenced } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { alternativeFaults } from './check-alternatives.ts'
import { listFaults } from './check-list.ts'
import { objectFaults } from './check-object.ts'
import { allowedFaults, kindFault, numberFaults, textFaults } from './check-scalar.ts'
import type { Checked, CheckState, Fault } from './check-state.ts'
import { shown } from './check-state.ts'

/** References and alternatives that may be followed without going further into the arguments. */
const deepest = 64
/** The first faults of a schema; a model corrects them in one go, and more would be noise. */
const mostFaults = 8

/**
 * The faults of a value by a JSON Schema, drafts 4 to 2020-12. Keywords that are unknown or malformed
 * demand nothing, and neither does a reference that leads nowhere.
 */
export function faultsOf(checked: Checked, schema: unknown, state: CheckState): readonly Fault[] {
  state.stepsLeft -= 1
  if (state.stepsLeft < 0 || checked.depth > deepest) return exhausted(state)
  if (schema === false) return [{ path: checked.path, expected: 'left out', given: shown(checked.value) }]
  if (!isJsonObject(schema)) return []
  const kind = kindFault(checked, schema)
  if (kind !== undefined) return [kind]
  return [
    ...referenceFaults(checked, schema, state),
    ...allowedFaults(checked, schema, state),
    ...valueFaults(checked, schema, state),
    ...alternativeFaults(checked, schema, state),
  ].slice(0, mostFaults)
}

function exhausted(state: CheckState): readonly Fault[] {
  state.stepsLeft = -1
  return []
}

function referenceFaults(checked: Checked, schema: JsonObject, state: CheckState): readonly Fault[] {
  if (typeof schema['$ref'] !== 'string') return []
  const target = referenced(state.root, schema['$ref'])
  return target === undefined ? [] : faultsOf({ ...checked, depth: checked.depth + 1 }, target, state)
}

function valueFaults(checked: Checked, schema: JsonObject, state: CheckState): readonly Fault[] {
  const { value } = checked
  if (typeof value === 'string') return textFaults(checked, value, schema)
  if (typeof value === 'number') return numberFaults(checked, value, schema)
  if (Array.isArray(value)) return listFaults(checked, value, schema, state)
  return isJsonObject(value) ? objectFaults(checked, value, schema, state) : []
}
