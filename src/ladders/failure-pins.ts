import { closeReading } from './close-reading.ts'
import type { FailureBlock, Reading } from './failure-reading.ts'

/** So many failures are shown in full where a result is trimmed, and so many more by what they say. */
const mostInFull = 16
const mostByMessage = 24

/** Without what tells the same once more: names of tests whose error stands elsewhere, errors that repeat. */
export function worthTelling({ lines }: Reading, blocks: readonly FailureBlock[]): readonly FailureBlock[] {
  const named = blocks.filter(({ detailed, title }) => detailed && title !== undefined)
  const isTold = titleReader(named.map(({ title = 0 }) => lines[title] ?? ''))
  const seen = new Set<string>()
  return blocks.filter((block) => {
    const own = lines[block.title ?? block.message] ?? ''
    const isName = block.title !== undefined && block.lines.length === 1
    const key = sameButForTimes(`${own}\n${lines[block.message] ?? ''}`)
    if (seen.has(key) || (isName && isTold(nameIn(own), own))) return false
    seen.add(key)
    return true
  })
}

/** Tells whether a title other than `own` has a name. They are searched as one text; of a very long result only the first ones. */
function titleReader(titles: readonly string[]): (name: string, own: string) => boolean {
  const all = `${[...new Set(titles)].join('\n')}\n`.slice(0, closeReading.wholeUpTo)
  return (name, own) => {
    if (name === '') return titles.some((title) => title !== own)
    let at = all.indexOf(name)
    while (at !== -1) {
      const end = all.indexOf('\n', at)
      if (end === -1 || all.slice(all.lastIndexOf('\n', at) + 1, end) !== own) return true
      at = all.indexOf(name, end)
    }
    return false
  }
}

/** The name of a test in a line that lists it: its last part, without marks before it and times behind. */
function nameIn(line: string): string {
  const bare = line
    .replace(
      /^\s*(?:✕|✗|✘|×|❌|not ok \d{1,6} -|--- FAIL:|FAILED|FAIL:?|ERROR:?|\[ {2}FAILED {2}\]|\d{1,6}\)|test )\s*/,
      '',
    )
    .replace(/(?:\s*\(?\d[\d.]{0,12} ?m?s\)?| \.\.\. \S{1,12}| - .{0,400})$/, '')
  return (
    bare
      .slice(bare.lastIndexOf('::') + 1)
      .replace(/^:/, '')
      .trim() || line
  )
}

function sameButForTimes(text: string): string {
  return text.replace(/\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, '').replace(/\b(?:\d{5,}|0x[0-9a-f]{6,})\b/g, '#')
}

/** A test in the list at the end, with what it has failed by. */
const listedTest = /^FAILED \S+::\S.* - \S/

/** The lines to show at any price: failures in full up to a bound, then their messages, and the last two lines that count them. */
export function pinnedLines({ lines: texts, roles }: Reading, blocks: readonly FailureBlock[]): readonly number[] {
  const pins = new Set<number>()
  blocks.slice(0, mostInFull).forEach(({ lines }) => lines.forEach((line) => pins.add(line)))
  blocks.slice(mostInFull, mostInFull + mostByMessage).forEach(({ title, message }) => {
    pins.add(message)
    if (title !== undefined) pins.add(title)
  })
  let listed = 0
  for (let at = 0; at < roles.length && listed < mostInFull; at++) {
    if (roles[at] !== 'title' || !listedTest.test(texts[at] ?? '')) continue
    pins.add(at)
    listed++
  }
  let summaries = 2
  for (let at = roles.length - 1; at >= 0 && summaries > 0; at--) {
    if (roles[at] !== 'summary') continue
    pins.add(at)
    summaries--
  }
  return [...pins]
}
