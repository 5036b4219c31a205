import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { JsonObject } from '../core/index.ts'
import { PrehendError, invalidInput, isJsonObject, isPrehendError } from '../core/index.ts'
import { traceError } from './trace-error.ts'
import type { TracePlace } from './trace-error.ts'

export interface TextLine {
  /** From 1. */
  readonly line: number
  readonly text: string
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'Check the path',
  EISDIR: 'Name the files inside the folder',
  EACCES: 'Check the permissions of the file',
}

const broken: ReadonlySet<string> = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR'])

/** Reads a JSONL file line by line, so that its size does not matter; blank lines are skipped. */
export async function* readLines(file: string): AsyncGenerator<TextLine> {
  try {
    let line = 0
    for await (const whole of splitLines(file)) {
      line += 1
      const text = line === 1 ? whole.replace(/^\uFEFF/, '') : whole
      if (text.trim() !== '') yield { line, text }
    }
  } catch (error) {
    throw asReadError(file, error)
  }
}

/** Splits at line feeds only: node:readline also splits at U+2028, which JSON strings may hold. */
async function* splitLines(file: string): AsyncGenerator<string> {
  const handle = await open(file)
  try {
    const form = await byteForm(handle, file)
    const bytes = handle.createReadStream({ autoClose: false, start: 0, highWaterMark: 1 << 18 })
    const decoder = new TextDecoder(form.encoding)
    let rest: string[] = []
    for await (const chunk of form.isZipped ? bytes.pipe(createGunzip()) : bytes) {
      const parts = decoder.decode(chunk as Buffer, { stream: true }).split('\n')
      rest.push(parts[0] ?? '')
      for (const part of parts.slice(1)) {
        yield rest.join('')
        rest = [part]
      }
    }
    rest.push(decoder.decode())
    yield rest.join('')
  } finally {
    await handle.close()
  }
}

interface ByteForm {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  readonly isZipped: boolean
}

/** Told by the first bytes. Windows PowerShell redirects output as UTF-16. */
async function byteForm(handle: FileHandle, file: string): Promise<ByteForm> {
  const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0)
  const [first, second] = buffer
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', isZipped: false }
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', isZipped: false }
  const head = buffer.toString('latin1')
  if (head.startsWith('PK\u0003\u0004'))
    throw invalidInput(file, 'is a zip archive', 'Unpack it and name the files in it')
  if (head.startsWith('SQLite format 3')) {
    const remedy = 'Export its sessions as JSON, as opencode export SESSION does'
    throw invalidInput(file, 'is an SQLite database', remedy)
  }
  return { encoding: 'utf-8', isZipped: first === 0x1f && second === 0x8b }
}

/** What a line holds; throws `invalid-input` with its place. */
export function parseLine(place: TracePlace, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON'
    throw traceError(place, `the line is not JSON (${reason})`, 'Every line holds one JSON object')
  }
}

/** What every line of a JSONL file was read as; `onInvalid` is told of those that cannot be, which are then passed over. */
export async function readEach<Value>(
  file: string,
  onInvalid: (error: PrehendError) => void,
  read: (value: unknown, place: TracePlace) => Value,
): Promise<readonly Value[]> {
  const values: Value[] = []
  for await (const { line, text } of readLines(file)) {
    const place: TracePlace = { file, line, field: '' }
    try {
      values.push(read(parseLine(place, text), place))
    } catch (error) {
      if (!isPrehendError(error)) throw error
      onInvalid(error)
    }
  }
  return values
}

/** The record in a line; undefined where there is none: whoever reads the file itself tells of that. */
export function recordIn(place: TracePlace, text: string): JsonObject | undefined {
  try {
    const value = parseLine(place, text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function asReadError(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (broken.has(code)) return invalidInput(file, 'is a damaged gzip file', 'Compress or copy it again')
  const remedy = remedies[code]
  if (remedy === undefined) return error
  return new PrehendError('not-found', `${file} cannot be read (${code}). ${remedy}.`, { what: file, remedy }, error)
}
