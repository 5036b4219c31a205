/** Something that may be chosen: what it is about, what it is worth, and what it takes. */
interface Offer {
  readonly text: string
  readonly terms: readonly string[]
  readonly worth: number
  readonly stays: boolean
  /** What comes with it, by its index, which is lower; -1 where nothing does. */
  readonly under: number
}

export interface MostNewOptions {
  /** Terms that the reader has already. */
  readonly known: readonly string[]
  /** Characters that may be chosen. */
  readonly most: number
}

/**
 * 1 for each chosen: what stays, then again and again what is worth most per character, times the share of it that is new, as long as there is
 * room. What was new before can only become less so, so that a heap of old answers finds the next one.
 */
export function mostNew(offers: readonly Offer[], { known, most }: MostNewOptions): Uint8Array {
  const chosen = new Uint8Array(offers.length)
  const seen = new Set(known)
  let left = most
  const take = (first: number): void => {
    for (let at = first; at >= 0 && chosen[at] === 0; at = offers[at]?.under ?? -1) {
      chosen[at] = 1
      left -= (offers[at]?.text.length ?? 0) + 1
      for (const term of offers[at]?.terms ?? []) seen.add(term)
    }
  }
  const lengthOf = (first: number): number => {
    let length = 0
    for (let at = first; at >= 0 && chosen[at] === 0; at = offers[at]?.under ?? -1)
      length += (offers[at]?.text.length ?? 0) + 1
    return length
  }
  for (const [at, { stays }] of offers.entries()) if (stays) take(at)
  const gainOf = (at: number): number => gain(offers[at], seen, lengthOf(at))
  const heap = offers.flatMap((_, at) => (chosen[at] === 1 ? [] : [{ at, gain: gainOf(at) }])).toSorted(better)
  const queue = [...heap]
  while (queue.length > 0) {
    const next = pop(queue)
    if (next === undefined || next.gain <= 0) break
    const now = gainOf(next.at)
    const rival = queue[0]
    if (rival !== undefined && better({ at: next.at, gain: now }, rival) > 0 && now < next.gain)
      push(queue, { at: next.at, gain: now })
    else if (chosen[next.at] === 0 && lengthOf(next.at) <= left) take(next.at)
  }
  return chosen
}

/** Long ones are worth more, but not as much more as they are longer. */
const lengthPower = 0.6
/** What is not new at all may still be how it is said. */
const leastNovelty = 0.03

function gain(offer: Offer | undefined, seen: ReadonlySet<string>, length: number): number {
  if (offer === undefined || offer.terms.length === 0 || length === 0) return 0
  const fresh = offer.terms.reduce((sum, term) => (seen.has(term) ? sum : sum + 1), 0)
  return (offer.worth * Math.max(leastNovelty, fresh / offer.terms.length)) / length ** lengthPower
}

interface Queued {
  readonly at: number
  readonly gain: number
}

/** The larger gain first, of equals what comes first. */
function better(a: Queued, b: Queued): number {
  return b.gain - a.gain || a.at - b.at
}

/** A binary heap in an array: the best stands first. */
function push(heap: Queued[], one: Queued): void {
  let at = heap.push(one) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent]
    if (above === undefined || better(above, one) <= 0) break
    heap[at] = above
    at = parent
  }
  heap[at] = one
}

function pop(heap: Queued[]): Queued | undefined {
  const [first] = heap
  const last = heap.pop()
  if (first === undefined || last === undefined || heap.length === 0) return first
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    const [one, other] = [heap[left], heap[left + 1]]
    if (one === undefined) break
    const child = other !== undefined && better(other, one) < 0 ? other : one
    if (better(last, child) <= 0) break
    heap[at] = child
    at = child === one ? left : left + 1
  }
  heap[at] = last
  return first
}
