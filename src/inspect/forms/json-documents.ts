/** One JSON document in a text of several, and the line on which it begins. */
export interface DocumentText {
  readonly text: string
  /** From 1. */
  readonly line: number
  /** Whether the text ends inside of it. */
  readonly isCut: boolean
}

/** The documents of a text in which they stand one after another over several lines, as `jq` prints them. */
export function jsonDocuments(text: string): readonly DocumentText[] {
  const documents: DocumentText[] = []
  const scan = { depth: 0, inString: false, start: -1, startLine: 1, line: 1 }
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index)
    if (char === lineFeed) scan.line += 1
    if (scan.inString) {
      if (char === backslash) index += 1
      else if (char === quote) scan.inString = false
      continue
    }
    if (char === quote) scan.inString = true
    else if (char === openBrace || char === openBracket) {
      if (scan.depth === 0) Object.assign(scan, { start: index, startLine: scan.line })
      scan.depth += 1
    } else if (char === closeBrace || char === closeBracket) {
      scan.depth -= 1
      if (scan.depth === 0)
        documents.push({ text: text.slice(scan.start, index + 1), line: scan.startLine, isCut: false })
      if (scan.depth < 0) return documents
    }
  }
  if (scan.depth > 0) documents.push({ text: text.slice(scan.start), line: scan.startLine, isCut: true })
  return documents
}

const [lineFeed, quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [10, 34, 92, 123, 125, 91, 93]
