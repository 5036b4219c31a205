import type { JsonObject } from '../../core/index.ts'
import { shown } from './check-state.ts'
import type { Checked, CheckState, Fault } from './check-state.ts'

const mostKinds = 6

/** `allOf`, `anyOf`, `oneOf`, `not` and `if`. */
export function alternativeFaults(checked: Checked, schema: JsonObject, state: CheckState): readonly Fault[] {
  const inside = { ...checked, depth: checked.depth + 1 }
  const of = (part: unknown) => state.check(inside, part, state)
  return [
    ...listOf(schema['allOf']).flatMap(of),
    ...anyFaults(checked, listOf(schema['anyOf']), of),
    ...oneFaults(checked, listOf(schema['oneOf']), of),
    ...notFaults(checked, schema, of),
    ...conditionFaults(schema, of),
  ]
}

type FaultsOf = (part: unknown) => readonly Fault[]

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function anyFaults(checked: Checked, parts: readonly unknown[], of: FaultsOf): readonly Fault[] {
  const tried: (readonly Fault[])[] = []
  for (const part of parts) {
    const found = of(part)
    if (found.length === 0) return []
    tried.push(found)
  }
  return parts.length === 0 ? [] : meantBranch(checked, tried)
}

/** The faults of the alternative that the value is most like; where it is like none, what all of them want. */
function meantBranch({ value, path }: Checked, tried: readonly (readonly Fault[])[]): readonly Fault[] {
  const like = tried.filter((faults) => !faults.some((fault) => fault.path === path && fault.isOtherKind === true))
  const nearest = like.toSorted((one, other) => one.length - other.length)[0]
  if (nearest !== undefined) return nearest
  const wanted = [...new Set(tried.flatMap((faults) => faults.map(({ expected }) => expected)))]
  return [{ path, expected: wanted.slice(0, mostKinds).join(' or '), given: shown(value), isOtherKind: true }]
}

function oneFaults(checked: Checked, parts: readonly unknown[], of: FaultsOf): readonly Fault[] {
  if (parts.length === 0) return []
  const tried = parts.map(of)
  const fitting = tried.filter((faults) => faults.length === 0).length
  if (fitting === 1) return []
  if (fitting === 0) return meantBranch(checked, tried)
  const expected = `a value that fits one of the ${parts.length} alternatives only`
  return [{ path: checked.path, expected, given: `one that fits ${fitting}` }]
}

function notFaults({ value, path }: Checked, schema: JsonObject, of: FaultsOf): readonly Fault[] {
  if (!Object.hasOwn(schema, 'not') || of(schema['not']).length > 0) return []
  return [{ path, expected: `another value: the schema excludes it`, given: shown(value) }]
}

function conditionFaults(schema: JsonObject, of: FaultsOf): readonly Fault[] {
  if (!Object.hasOwn(schema, 'if')) return []
  return of(of(schema['if']).length === 0 ? schema['then'] : schema['else'])
}
