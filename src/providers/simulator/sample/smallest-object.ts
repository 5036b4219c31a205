import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { listOf, objectOf } from '../read-json.ts'
import { numberAt } from './keyword.ts'
import type { Place, Sampling } from './sampling.ts'
import { within } from './sampling.ts'

/** The members that an object must have, and further ones only as far as it must have more. */
export function smallestObject(schema: JsonObject, place: Place, sampling: Sampling): JsonObject | undefined {
  const members = new Map<string, JsonValue>()
  for (const name of requiredNames(schema)) {
    const value = sampling.sample(schemaOf(schema, name), within(place))
    if (value === undefined) return undefined
    members.set(name, value)
  }
  const least = (numberAt(schema, 'minProperties') ?? 0) + (members.size === 0 ? place.nth : 0)
  for (const name of furtherNames(schema, least)) {
    if (members.size >= least) break
    const value = members.has(name) ? undefined : sampling.sample(schemaOf(schema, name), within(place))
    if (value !== undefined) members.set(name, value)
  }
  const most = numberAt(schema, 'maxProperties') ?? Infinity
  return members.size < least || members.size > most ? undefined : Object.fromEntries(members)
}

/** With those that others bring with them. */
function requiredNames(schema: JsonObject): ReadonlySet<string> {
  const names = new Set(textsOf(schema['required']))
  const dependent = objectOf(schema['dependentRequired'])
  // A set is walked with what is added to it on the way.
  for (const name of names) for (const other of textsOf(dependent[name])) names.add(other)
  return names
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return listOf(value).filter((name) => typeof name === 'string')
}

function schemaOf({ properties, additionalProperties }: JsonObject, name: string): JsonValue | undefined {
  const known = objectOf(properties)
  return Object.hasOwn(known, name) ? known[name] : additionalProperties
}

const mostInvented = 1000

function furtherNames({ properties }: JsonObject, least: number): readonly string[] {
  const invented = Array.from({ length: Math.min(least, mostInvented) }, (_, index) => `member${index + 1}`)
  return [...Object.keys(objectOf(properties)), ...invented]
}
