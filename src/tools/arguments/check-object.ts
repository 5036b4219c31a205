import { didYouMean, isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { breaksPattern } from './breaks-pattern.ts'
import { memberPath, shown } from './check-state.ts'
import type { Checked, CheckState, Fault } from './check-state.ts'

/** Members that are looked at; those behind them pass. */
const mostMembers = 10_000
const mostShownNames = 30

export function objectFaults(
  checked: Checked,
  value: JsonObject,
  schema: JsonObject,
  state: CheckState,
): readonly Fault[] {
  return [
    ...missingFaults(checked, value, schema, state),
    ...sizeFaults(checked, value, schema),
    ...memberFaults(checked, value, schema, state),
  ]
}

function missingFaults({ path }: Checked, value: JsonObject, schema: JsonObject, state: CheckState): readonly Fault[] {
  const required = names(schema['required'])
  state.stepsLeft -= required.length
  const dependent = isJsonObject(schema['dependentRequired']) ? schema['dependentRequired'] : {}
  const bound = Object.keys(dependent).flatMap((name) => (Object.hasOwn(value, name) ? names(dependent[name]) : []))
  const missing = new Set([...required, ...bound].filter((name) => !Object.hasOwn(value, name)))
  return [...missing].slice(0, mostShownNames).map((name) => {
    const { type } = partOf(schema, name) ?? {}
    const kind = typeof type === 'string' ? ` (type ${type})` : ''
    return { path: memberPath(path, name), expected: `given: it is required${kind}`, given: 'nothing' }
  })
}

function names(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []
}

function partOf({ properties }: JsonObject, name: string): JsonObject | undefined {
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return undefined
  const part = properties[name]
  return isJsonObject(part) ? part : undefined
}

function sizeFaults({ path }: Checked, value: JsonObject, schema: JsonObject): readonly Fault[] {
  const { minProperties, maxProperties } = schema
  if (typeof minProperties !== 'number' && typeof maxProperties !== 'number') return []
  const size = Object.keys(value).length
  const given = `${size} members`
  if (typeof minProperties === 'number' && size < minProperties)
    return [{ path, expected: `an object of at least ${minProperties} members`, given }]
  return typeof maxProperties === 'number' && size > maxProperties
    ? [{ path, expected: `an object of at most ${maxProperties} members`, given }]
    : []
}

function memberFaults(checked: Checked, value: JsonObject, schema: JsonObject, state: CheckState): readonly Fault[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const patterns = isJsonObject(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : []
  const found: Fault[] = []
  for (const name of Object.keys(value).slice(0, mostMembers)) {
    if (state.stepsLeft < 0) break
    state.stepsLeft -= patterns.length
    const parts = patterns.filter(([pattern]) => !breaksPattern(name, pattern)).map(([, part]) => part)
    if (Object.hasOwn(properties, name)) parts.push(properties[name] ?? true)
    const path = memberPath(checked.path, name)
    if (parts.length === 0 && schema['additionalProperties'] === false)
      found.push({ path, expected: `left out: ${knownNames(name, properties)}`, given: shown(value[name]) })
    else if (parts.length === 0 && isJsonObject(schema['additionalProperties']))
      parts.push(schema['additionalProperties'])
    for (const part of parts) found.push(...state.check({ value: value[name], path, depth: 0 }, part, state))
  }
  return found
}

function knownNames(name: string, properties: JsonObject): string {
  const known = Object.keys(properties)
  if (known.length === 0) return 'the tool takes no such parameter'
  const listed = known.slice(0, mostShownNames)
  return `${didYouMean(name, listed)}The parameters are ${listed.join(', ')}${known.length > listed.length ? ', ...' : ''}`
}
