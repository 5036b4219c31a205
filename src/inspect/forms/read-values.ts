import { isJsonObject, isPrehendError, jsonValue } from '../../core/index.ts'
import type { PrehendError } from '../../core/index.ts'
import { parseLine, readLines } from '../read-lines.ts'
import type { TextLine } from '../read-lines.ts'
import { traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'
import type { Located } from './form.ts'
import { jsonDocuments } from './json-documents.ts'
import type { DocumentText } from './json-documents.ts'

type OnInvalid = (error: PrehendError) => void

/** The values of a file: one a line, one over many lines, or several of these. Only the last two are read into memory. */
export async function* readValues(file: string, onInvalid: OnInvalid): AsyncGenerator<Located> {
  let isFirst = true
  let cut: TextLine[] | undefined
  for await (const line of readLines(file)) {
    if (isFirst && isCut(line.text)) cut = []
    isFirst = false
    if (cut === undefined) yield* oneValue(file, line, onInvalid)
    else cut.push(line)
  }
  if (cut !== undefined) yield* valuesOver(file, cut, onInvalid)
}

/** The values of a text that is there as a whole. */
export function valuesIn(name: string, text: string, onInvalid: OnInvalid): readonly Located[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((each, index) => (each.trim() === '' ? [] : [{ line: index + 1, text: each }]))
  const [first] = lines
  if (first === undefined) return []
  if (isCut(first.text)) return [...valuesOver(name, lines, onInvalid)]
  return lines.flatMap((line) => [...oneValue(name, line, onInvalid)])
}

/** Whether a first line begins a document that goes on behind it. */
function isCut(text: string): boolean {
  return /^\s*[[{]/.test(text) && jsonValue(text) === undefined
}

function* oneValue(file: string, { line, text }: TextLine, onInvalid: OnInvalid): Generator<Located> {
  const place: TracePlace = { file, line, field: '' }
  try {
    yield { value: parseLine(place, text), place }
  } catch (error) {
    if (!isPrehendError(error)) throw error
    onInvalid(error)
  }
}

/** Values over many lines; where they are none, those of the lines, of which the first is then cut. */
function* valuesOver(file: string, lines: readonly TextLine[], onInvalid: OnInvalid): Generator<Located> {
  // Blank lines stay, so that lines are counted as they stand in the file.
  const texts: string[] = []
  for (const { line, text } of lines) texts[line - 1] = text
  const documents = jsonDocuments(Array.from(texts, (text) => text ?? '').join('\n'))
  const parsed = documents.map((document) => parsedDocument(file, document))
  if (parsed.some(isPrehendError) && lines.some(({ text }) => isObject(text))) {
    for (const line of lines) yield* oneValue(file, line, onInvalid)
    return
  }
  for (const each of parsed) {
    if (isPrehendError(each)) onInvalid(each)
    else yield each
  }
}

function isObject(text: string): boolean {
  return text.startsWith('{') && isJsonObject(jsonValue(text))
}

function parsedDocument(file: string, { text, line, isCut: isOver }: DocumentText): Located | PrehendError {
  try {
    return { value: JSON.parse(text), place: { file, line, field: '' } }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON'
    const offset = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length)
    const at = line + text.slice(0, offset).split('\n').length - 1
    const problem = isOver ? 'the document is cut off' : `the document is not JSON (${reason})`
    return traceError({ file, line: at, field: '' }, problem, 'Export it again, or give one JSON document a line')
  }
}
