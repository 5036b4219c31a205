import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { stableJson } from '../../../core/index.ts'
import { listOf } from '../read-json.ts'
import { numberAt } from './keyword.ts'
import type { Place, Sampling } from './sampling.ts'
import { within } from './sampling.ts'

/** As many elements as a list must have. */
export function smallestList(schema: JsonObject, place: Place, sampling: Sampling): JsonValue | undefined {
  const least = numberAt(schema, 'minItems') ?? 0
  const most = numberAt(schema, 'maxItems') ?? Infinity
  // A list that has to differ from others is longer or, where its length is fixed, has other elements.
  const isLonger = least + place.nth <= most
  const count = isLonger ? least + place.nth : least
  if (count > most) return undefined
  const elements: JsonValue[] = []
  for (let index = 0; index < count; index += 1) {
    const element = elementAt(
      { schema, index, place: within(place, isLonger ? 0 : place.nth), earlier: elements },
      sampling,
    )
    if (element === undefined) return undefined
    elements.push(element)
  }
  return elements
}

interface Wanted {
  readonly schema: JsonObject
  readonly index: number
  readonly place: Place
  readonly earlier: readonly JsonValue[]
}

function elementAt({ schema, index, place, earlier }: Wanted, sampling: Sampling): JsonValue | undefined {
  const of = schemaAt(schema, index)
  if (schema['uniqueItems'] !== true) return sampling.sample(of, place)
  const before = new Set(earlier.map((element) => stableJson(element)))
  for (let more = 0; more <= index; more += 1) {
    const element = sampling.sample(of, { ...place, nth: place.nth + more })
    if (element !== undefined && !before.has(stableJson(element))) return element
  }
  return undefined
}

/** The schema of an element: a tuple has its own for each, in older drafts under `items`. */
function schemaAt({ prefixItems, items, additionalItems }: JsonObject, index: number): JsonValue | undefined {
  const ofTuple = Array.isArray(items) ? items : prefixItems
  const own = listOf(ofTuple)[index]
  if (own !== undefined) return own
  return Array.isArray(items) ? additionalItems : items
}
