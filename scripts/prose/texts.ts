/** A piece of prose in a file: a paragraph, an item of a list, a cell of a table, a string. */
export interface Prose {
  readonly text: string
  readonly line: number
}

export interface Sentence {
  readonly text: string
  /** The same without inline code and addresses of links. */
  readonly plain: string
  readonly line: number
}

const blank = (found: string): string => ' '.repeat(found.length)

/** Of the same length, so that offsets hold in both. Code becomes a sign that is neither a letter nor white space. */
function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, (code) => '\uFFFC'.repeat(code.length)).replace(/\]\([^)\s]*\)/g, blank)
}

/** Sentences of a text; a line break does not end one. */
export function sentencesOf({ text, line }: Prose): readonly Sentence[] {
  const plain = withoutCode(text)
  const ends = Array.from(plain.matchAll(/[.!?][)"'*_]*(?=\s+[^\s\p{Ll}]|\s*$)/gu), (end) => end.index + end[0].length)
  const starts = [0, ...ends]
  return starts.flatMap((from, index) => {
    const piece = text.slice(from, starts[index + 1])
    const start = from + piece.length - piece.trimStart().length
    return piece.trim() === ''
      ? []
      : [
          {
            text: piece.trim().replace(/\s+/g, ' '),
            plain: plain.slice(start, starts[index + 1]).replace(/\s+/g, ' '),
            line: line + text.slice(0, start).split('\n').length - 1,
          },
        ]
  })
}

const fence = /^\s*(?:```|~~~)/

/** Paragraphs, list items and table cells of a page. Headings are left out, for other pages link to them; so is code. */
export function proseOfMarkdown(page: string): readonly Prose[] {
  const found: Prose[] = []
  let open: { lines: string[]; line: number } | undefined
  let inCode = false
  const close = (): void => {
    if (open) found.push({ text: open.lines.join('\n'), line: open.line })
    open = undefined
  }
  for (const [index, line] of page.split('\n').entries()) {
    const isFence = fence.test(line)
    if (isFence) inCode = !inCode
    if (inCode || isFence || line.trim() === '' || /^(?:#|<!--|\|[\s:|-]+$)/.test(line)) close()
    else if (line.startsWith('|')) {
      close()
      for (const cell of cellsOf(line)) found.push({ text: cell, line: index + 1 })
    } else if (open && !/^\s*(?:[-*]|\d+\.)\s/.test(line)) open.lines.push(line)
    else {
      close()
      open = { lines: [line.replace(/^\s*(?:[-*]|\d+\.)\s/, '')], line: index + 1 }
    }
  }
  close()
  return found
}

function cellsOf(row: string): readonly string[] {
  return row
    .slice(1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
}

const described = /(?:\b(?:about|details|more)\s*:|\bdescribe\()(?=[\s[(]*['"`])/g
const literal =
  /\s*(?<sign>[+,[(\s]*)(?:'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)"|`(?<template>(?:[^`\\]|\\.)*)`)/y

/** Strings of help and of descriptions in a source file. */
export function proseOfSource(source: string): readonly Prose[] {
  return [...source.matchAll(described)].flatMap(({ index, 0: opening }) => {
    const found: Prose[] = []
    literal.lastIndex = index + opening.length
    const isList = /^[\s(]*\[/.test(source.slice(literal.lastIndex))
    for (let match = literal.exec(source); match?.groups; match = literal.exec(source)) {
      const { sign = '', single, double, template } = match.groups
      const previous = found.at(-1)
      if (previous && sign.includes(',') && !isList) break
      const text = (single ?? double ?? template ?? '').replace(/\\(.)/g, '$1')
      const quoteAt = match.index + match[0].length - (single ?? double ?? template ?? '').length
      const line = source.slice(0, quoteAt).split('\n').length
      if (previous && sign.includes('+')) found[found.length - 1] = { ...previous, text: previous.text + text }
      else found.push({ text, line })
    }
    return found
  })
}

/** Text between the tags of a page of the inspector. */
export function proseOfJsx(source: string): readonly Prose[] {
  return [...source.matchAll(/(?<![=-])>([^<>{}=;]*[a-z]{2}[^<>{}=;]*)(?=[<{])/g)].map(({ index, 1: text = '' }) => {
    const at = index + 1 + (text.length - text.trimStart().length)
    return { text: text.trim(), line: source.slice(0, at).split('\n').length }
  })
}
