/** Finds where the request was carried that a body continues, by how the body begins. */
export interface BodyPlaces<Place> {
  /**
   * A body that is under way until it is said to have ended. Where another one that begins like it and ends otherwise is under way, too,
   * how they begin says nothing of where they belong: agents of one kind begin alike for thousands of characters.
   */
  begin(body: MarkedBody): void
  end(body: MarkedBody): void
  /** Undefined where nothing is known that begins so. A wrong answer costs time only. */
  find(body: MarkedBody): Place | undefined
  put(body: MarkedBody, place: Place): void
}

export interface MarkedBody {
  /** One number for each beginning of a body, the shortest first: a body that continues another has all of its numbers. */
  readonly marks: readonly number[]
  /** One number for how long it is and how it ends; the same for a body that is sent again. */
  readonly ending: number
}

/** A body is looked at once in so many bytes. */
const strideBytes = 16_384
const sampleBytes = 64
const endingBytes = 256

export function markedBody(tenant: string, body: Uint8Array): MarkedBody {
  const marks: number[] = []
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  let [one, two] = [seed, ~seed]
  const mix = (word: number): void => {
    one = Math.imul(one ^ word, 0x85ebca6b)
    one ^= one >>> 13
    two = Math.imul(two + word, 0xc2b2ae35)
    two ^= two >>> 16
  }
  const mixed = (): number => (one >>> 0) * 2 ** 21 + (two >>> 11)
  for (let at = 0; at < tenant.length; at += 1) mix(tenant.charCodeAt(at))
  for (let end = strideBytes; end <= body.length; end += strideBytes) {
    for (let at = end - sampleBytes; at < end; at += 4) mix(view.getUint32(at))
    marks.push(mixed())
  }
  mix(body.length)
  for (let at = Math.max(0, body.length - endingBytes); at < body.length; at += 1) mix(view.getUint8(at))
  return { marks, ending: mixed() }
}

const seed = 0x9747b28c

/** Beginnings that are remembered; those not used longest are forgotten. */
const mostPlaces = 20_000

/** How bodies under way end that begin alike, and how many of them end so. */
type Endings = Map<number, number>

export function bodyPlaces<Place>(): BodyPlaces<Place> {
  const places = new Map<number, Place>()
  /** Beginnings that several conversations have. */
  const common = new Map<number, true>()
  const underway = new Map<number, Endings>()
  return {
    begin({ marks, ending }) {
      const last = marks.at(-1)
      if (last === undefined) return
      const endings: Endings = underway.get(last) ?? new Map<number, number>()
      underway.set(last, endings.set(ending, (endings.get(ending) ?? 0) + 1))
      if (endings.size === 1) return
      places.delete(last)
      remember(common, last, true)
    },
    end({ marks, ending }) {
      const last = marks.at(-1)
      const endings = last === undefined ? undefined : underway.get(last)
      if (last === undefined || endings === undefined) return
      const left = (endings.get(ending) ?? 0) - 1
      if (left > 0) endings.set(ending, left)
      else endings.delete(ending)
      if (endings.size === 0) underway.delete(last)
    },
    find({ marks }) {
      for (const mark of marks.toReversed()) {
        const place = places.get(mark)
        if (place !== undefined) return place
      }
      return undefined
    },
    put({ marks }, place) {
      const last = marks.at(-1)
      if (last !== undefined && !common.has(last)) remember(places, last, place)
    },
  }
}

function remember<Value>(values: Map<number, Value>, key: number, value: Value): void {
  values.delete(key)
  values.set(key, value)
  const [oldest] = values.keys()
  if (values.size > mostPlaces && oldest !== undefined) values.delete(oldest)
}
