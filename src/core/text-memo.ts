import { TextMap, sampleOf } from './text-map.ts'

/** Remembers one value per text; what it answers does not depend on what it remembers. */
export interface TextMemo<Value> {
  get(text: string): Value
}

export interface MemoSettings {
  /** Gives a text as it is kept. */
  readonly keptAs?: (text: string) => string
  /** Whether a text that is larger than a generation is remembered as well; two of them may take more than the limit. */
  readonly keepsLarger?: boolean
}

const asItIs = (text: string): string => text
const usualCharacters = 6_000_000
const charactersPerEntry = 64

/**
 * Two generations approximate least-recently-used: when the young one is full, what the old one still holds is let go. A text that is larger than a
 * generation is not remembered, unless `keepsLarger` says that it fills one alone.
 */
export function textMemo<Value>(
  compute: (text: string) => Value,
  charactersPerGeneration = usualCharacters,
  { keptAs = asItIs, keepsLarger = false }: MemoSettings = {},
): TextMemo<Value> {
  let young = new TextMap<Value>()
  let old = new TextMap<Value>()
  let size = 0
  const keep = (text: string, sample: number, value: Value, isNew: boolean): Value => {
    const own = text.length + charactersPerEntry
    if (own > charactersPerGeneration && !keepsLarger) return value
    const characters = Math.min(own, charactersPerGeneration)
    if (size + characters > charactersPerGeneration) {
      old = young
      young = new TextMap()
      size = 0
    }
    size += characters
    young.set(isNew ? keptAs(text) : text, value, sample)
    return value
  }
  return {
    get(text) {
      const sample = sampleOf(text)
      const known = young.get(text, sample)
      if (known !== undefined) return known
      const aged = old.get(text, sample)
      return keep(text, sample, aged ?? compute(text), aged === undefined)
    },
  }
}
