import { TextMap, sampleOf } from './text-map.ts'

/** Remembers one value per text; what it answers does not depend on what it remembers. */
export interface TextMemo<Value> {
  get(text: string): Value
}

const usualCharacters = 6_000_000
const charactersPerEntry = 64

/** Two generations approximate least-recently-used: when the young one is full, what the old one still holds is let go. */
export function textMemo<Value>(
  compute: (text: string) => Value,
  charactersPerGeneration = usualCharacters,
): TextMemo<Value> {
  let young = new TextMap<Value>()
  let old = new TextMap<Value>()
  let size = 0
  const keep = (text: string, sample: number, value: Value): Value => {
    size += text.length + charactersPerEntry
    if (size > charactersPerGeneration) {
      old = young
      young = new TextMap()
      size = text.length + charactersPerEntry
    }
    young.set(text, value, sample)
    return value
  }
  return {
    get(text) {
      const sample = sampleOf(text)
      const known = young.get(text, sample)
      if (known !== undefined) return known
      const aged = old.get(text, sample)
      return keep(text, sample, aged ?? compute(text))
    },
  }
}
