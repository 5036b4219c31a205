import type { JsonValue } from '../../core/index.ts'

/**
 * The words of a result and its structured content, each fact once: what holds all that the other says stands alone, and else the words
 * stand before the data. Servers give the data again as text, as JSON or laid out, or only a sentence about them.
 */
export function saidOnce(words: readonly string[], data: JsonValue, dataText: string): string {
  const text = words.join('\n')
  const inWords = counts(words.flatMap((part) => sayings(parsed(part), true)))
  if (holds(inWords, counts(sayings(data, false)))) return text
  return holds(counts(sayings(data, true)), inWords) ? dataText : `${text}\n${dataText}`
}

/** Of JSON what it says, without its escapes. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}

/** All texts, numbers and names of members, in any order and at any depth. */
function sayings(data: JsonValue, withNames: boolean): readonly string[] {
  const said: string[] = []
  const open: JsonValue[] = [data]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value === null) continue
    if (typeof value !== 'object') said.push(String(value))
    else if (withNames && !Array.isArray(value)) for (const name of Object.keys(value)) said.push(name)
    if (typeof value === 'object') for (const inner of Object.values(value) as JsonValue[]) open.push(inner)
  }
  return said
}

type Counts = ReadonlyMap<string, number>

function counts(texts: readonly string[]): Counts {
  const found = new Map<string, number>()
  for (const text of texts)
    for (const [word] of text.toLowerCase().matchAll(/-?[\p{L}\p{N}]+/gu)) found.set(word, (found.get(word) ?? 0) + 1)
  return found
}

/** Whether every word of `others` stands in `all`, as often. */
function holds(all: Counts, others: Counts): boolean {
  return [...others].every(([word, count]) => (all.get(word) ?? 0) >= count)
}
