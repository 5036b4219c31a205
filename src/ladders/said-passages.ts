/** A line that can be quoted, and a table that stands as a whole. */
export interface SaidPassages {
  readonly sentences: readonly string[]
  readonly tables: readonly string[]
}

/** Longer ones are no sentences, but something that was pasted. */
const longestSentence = 400
/** Rows of a table of names and values. */
const leastRows = 3

/** What a turn says, in pieces that can be quoted: its sentences, and its tables of entities and states. Code is no sentence. Linear. */
export function saidPassages(text: string): SaidPassages {
  const sentences: string[] = []
  const tables: string[] = []
  let rows: string[] = []
  let fenced = false
  const close = (): void => {
    if (rows.length >= leastRows) tables.push(rows.join('\n'))
    else for (const row of rows) sentences.push(...sentencesOf(row))
    rows = []
  }
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim()
    if (line.startsWith('```') || line.startsWith('~~~')) {
      close()
      fenced = !fenced
      continue
    }
    if (fenced) continue
    if (isRow(line) && (rows.length === 0 || isTableRow(line) === isTableRow(rows[0] ?? ''))) rows.push(line)
    else {
      close()
      if (isRow(line)) rows.push(line)
      else sentences.push(...sentencesOf(line))
    }
  }
  close()
  return { sentences, tables }
}

function isRow(line: string): boolean {
  return isTableRow(line) || isPair(line)
}

function isTableRow(line: string): boolean {
  return line.length < 2000 && line.startsWith('|') && line.endsWith('|') && line.length > 2
}

/** `name: value`, as lists of entities and states are written. */
function isPair(line: string): boolean {
  if (line.length > 200 || /[.!?]$/.test(line)) return false
  const at = line.indexOf(': ')
  return (
    at > 0 && at <= 40 && /^(?:[-*•] )?(?:\*\*)?[\p{L}\p{N}_][\p{L}\p{N}_ ./()-]*(?:\*\*)?$/u.test(line.slice(0, at))
  )
}

function sentencesOf(line: string): readonly string[] {
  if (line === '' || /^[-=_*#|>\s]+$/.test(line.slice(0, 200))) return []
  const found: string[] = []
  let start = 0
  for (const { index } of line.matchAll(/[.!?。！？](?=\s|$|[\p{Lo}])/gu)) {
    if (index - start < 12 && start !== index) continue
    found.push(line.slice(start, index + 1).trim())
    start = index + 1
  }
  found.push(line.slice(start).trim())
  return found.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence)).map(clipped)
}

/** Word for word as far as it goes. */
function clipped(sentence: string): string {
  return sentence.length <= longestSentence
    ? sentence
    : `${sentence.slice(0, longestSentence).toWellFormed().trimEnd()} […]`
}
