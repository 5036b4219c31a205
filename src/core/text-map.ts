interface Entry<Value> {
  readonly text: string
  readonly value: Value
  readonly next: Entry<Value> | undefined
}

const SAMPLES = 16
const MAX_CHAIN = 8
const SHORT_UNITS = 64

/**
 * Values by text. Unlike a `Map` it does not hash a whole text to find it: a sample of its characters leads to the
 * few texts it may be, and comparing those is several times faster. It may forget an entry that shares its sample with others.
 */
export class TextMap<Value> {
  readonly #short = new Map<string, Value>()
  readonly #chains = new Map<number, Entry<Value>>()

  get(text: string, sample = sampleOf(text)): Value | undefined {
    if (text.length <= SHORT_UNITS) return this.#short.get(text)
    for (let entry = this.#chains.get(sample); entry !== undefined; entry = entry.next) {
      if (entry.text === text) return entry.value
    }
    return undefined
  }

  set(text: string, value: Value, sample = sampleOf(text)): void {
    if (text.length <= SHORT_UNITS) {
      this.#short.set(text, value)
      return
    }
    const chain = this.#chains.get(sample)
    this.#chains.set(sample, { text, value, next: lengthOf(chain) < MAX_CHAIN ? chain : undefined })
  }
}

function lengthOf(chain: Entry<unknown> | undefined): number {
  let length = 0
  for (let entry = chain; entry !== undefined; entry = entry.next) length += 1
  return length
}

/** By which a text is found: its length mixed with characters at even distances and the last ones, where versions of it differ most. */
export function sampleOf(text: string): number {
  const { length } = text
  if (length <= SHORT_UNITS) return 0
  const step = Math.max(1, Math.floor(length / SAMPLES))
  let hash = length
  for (let index = 0; index < length; index += step) hash = mixed(hash, text.charCodeAt(index))
  for (let index = Math.max(0, length - 4); index < length; index += 1) hash = mixed(hash, text.charCodeAt(index))
  return hash
}

function mixed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01_00_01_93) ^ (hash >>> 15)
}
