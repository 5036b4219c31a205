/** Finds where the request was carried that a body continues, by how the body begins. */
export interface BodyPlaces<Place> {
  /** Undefined where nothing is known that begins so. A wrong answer costs time only. */
  find(marks: BodyMarks): Place | undefined
  put(marks: BodyMarks, place: Place): void
}

/** One number for each beginning of a body, the shortest first: a body that continues another has all of its numbers. */
export type BodyMarks = readonly number[]

/** A body is looked at once in so many bytes. */
const strideBytes = 16_384
const sampleBytes = 64

export function bodyMarks(tenant: string, body: Uint8Array): BodyMarks {
  const marks: number[] = []
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  let [one, two] = [seed, ~seed]
  const mix = (word: number): void => {
    one = Math.imul(one ^ word, 0x85ebca6b)
    one ^= one >>> 13
    two = Math.imul(two + word, 0xc2b2ae35)
    two ^= two >>> 16
  }
  for (let at = 0; at < tenant.length; at += 1) mix(tenant.charCodeAt(at))
  for (let end = strideBytes; end <= body.length; end += strideBytes) {
    for (let at = end - sampleBytes; at < end; at += 4) mix(view.getUint32(at))
    marks.push((one >>> 0) * 2 ** 21 + (two >>> 11))
  }
  return marks
}

const seed = 0x9747b28c

/** Beginnings that are remembered; those not used longest are forgotten. */
const mostPlaces = 20_000

export function bodyPlaces<Place>(): BodyPlaces<Place> {
  const places = new Map<number, Place>()
  return {
    find(marks) {
      for (const mark of marks.toReversed()) {
        const place = places.get(mark)
        if (place !== undefined) return place
      }
      return undefined
    },
    put(marks, place) {
      const last = marks.at(-1)
      if (last === undefined) return
      places.delete(last)
      places.set(last, place)
      const [oldest] = places.keys()
      if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest)
    },
  }
}
