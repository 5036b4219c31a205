import { concepts, conceptWords } from './concepts.ts'

/** What a word means: numbers of concepts. */
export type Meanings = readonly number[]

interface Entry {
  readonly word: string
  readonly isStem: boolean
  readonly meanings: number[]
}

const startLength = 4
const noEntries: readonly Entry[] = []

/** Words by how they begin, so that most words of a text are looked up once and never cut out. */
const byStart = indexWords()

function indexWords(): ReadonlyMap<number, readonly Entry[]> {
  const index = new Map<number, Entry[]>()
  for (const [number, concept] of concepts.entries()) {
    for (const written of new Set(conceptWords[concept].split(' '))) {
      const isStem = written.endsWith('*')
      const word = isStem ? written.slice(0, -1) : written
      const start = startOf(word, 0, word.length)
      const entries = index.get(start) ?? []
      const known = entries.find((entry) => entry.word === word && entry.isStem === isStem)
      if (known) known.meanings.push(number)
      else entries.push({ word, isStem, meanings: [number] })
      index.set(start, entries)
    }
  }
  return index
}

/** Whether any word begins with such a number; most words of a text are told by it. */
const begins = new Uint8Array(1 << 14)
for (const start of byStart.keys()) begins[start & 0x3fff] = 1

/** A number for the first letters of a word; words that share it are told apart by their letters. */
function startOf(text: string, from: number, end: number): number {
  let start = 7
  const last = Math.min(end, from + startLength)
  for (let at = from; at < last; at += 1) start = (Math.imul(start, 131) + text.charCodeAt(at)) | 0
  return start
}

/** The meanings of the word that stands in a lower-case text; undefined for most words. */
export function meaningsAt(text: string, from: number, end: number): Meanings | undefined {
  const start = startOf(text, from, end)
  if (begins[start & 0x3fff] === 0) return undefined
  for (const { word, isStem, meanings } of byStart.get(start) ?? noEntries) {
    const { length } = word
    if (isStem ? end - from < length : end - from !== length) continue
    if (text.startsWith(word, from)) return meanings
  }
  return undefined
}
