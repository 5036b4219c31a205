import { perObject } from '../core/index.ts'

/**
 * How much each line says of what is asked for: for each of the words that stands in it what that word tells, little where most lines
 * have it, and a share of what its neighbours say. Of more words than `usual` each tells much less: a long request is about everything. 0 where no word is asked for; some of 1 where a line has one rare word.
 */
export function lineRelevance(
  lines: readonly string[],
  asked: ReadonlySet<string>,
  usual: number,
): Float32Array | undefined {
  if (asked.size > tooMany * usual) return undefined
  const form = formOf(asked)
  if (form === undefined) return undefined
  const hits = lines.map((line) => hitsIn(line, form))
  const counts = new Map<string, number>()
  for (const words of hits) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  if (counts.size === 0) return undefined
  const size = lines.length
  const share = Math.min(1, usual / asked.size) ** 2
  const tells = new Map(Array.from(counts, ([word, count]) => [word, share * rarity(count, size)]))
  const own = hits.map((words) => words.reduce((sum, word) => sum + (tells.get(word) ?? 0), 0))
  return Float32Array.from(own, (value, at) => value + around * Math.max(own[at - 1] ?? 0, own[at + 1] ?? 0))
}

/** Times the usual number of words; a request of more is about everything. */
const tooMany = 2
const around = 0.4
const looked = 600

/** As BM25 has it, 1 for a word that one line of many has. */
function rarity(count: number, size: number): number {
  return Math.log(1 + (size - count + 0.5) / (count + 0.5)) / Math.log(1 + (size + 0.5) / 1.5)
}

function hitsIn(line: string, form: RegExp): readonly string[] {
  const found: string[] = []
  const start = (line.length > looked ? line.slice(0, looked) : line).toLowerCase()
  form.lastIndex = 0
  for (let match = form.exec(start); match !== null; match = form.exec(start))
    if (!found.includes(match[0])) found.push(match[0])
  return found
}

/** Any of the words, however it goes on; of scripts without blanks, wherever it stands. */
const formOf = perObject((asked: ReadonlySet<string>): RegExp | undefined => {
  const words = [...asked].filter((word) => word.length > 0)
  return words.length === 0 ? undefined : new RegExp(words.map(formOfWord).join('|'), 'gu')
})

const inside = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

function formOfWord(word: string): string {
  const literal = word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  return inside.test(word) ? literal : `(?<![\\p{L}\\p{N}])${literal}`
}
