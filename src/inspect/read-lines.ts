import { open } from 'node:fs/promises'
import { PrehendError } from '../core/index.ts'
import { traceError } from './trace-error.ts'

export interface JsonLine {
  /** From 1. */
  readonly line: number
  readonly value: unknown
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'Check the path',
  EISDIR: 'Name the files inside the folder',
  EACCES: 'Check the permissions of the file',
}

/** Reads a JSONL file line by line, so that its size does not matter; blank lines are skipped. */
export async function* readJsonLines(file: string): AsyncGenerator<JsonLine> {
  try {
    let line = 0
    for await (const text of readLines(file)) {
      line += 1
      const json = line === 1 ? text.replace(/^\uFEFF/, '') : text
      if (json.trim() !== '') yield { line, value: parseLine(file, line, json) }
    }
  } catch (error) {
    throw asReadError(file, error)
  }
}

/** Splits at line feeds only: node:readline also splits at U+2028, which JSON strings may hold. */
async function* readLines(file: string): AsyncGenerator<string> {
  const handle = await open(file)
  try {
    const decoder = new TextDecoder()
    let rest: string[] = []
    for await (const chunk of handle.createReadStream({ autoClose: false, highWaterMark: 1 << 18 })) {
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

function parseLine(file: string, line: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON'
    throw traceError({ file, line, field: '' }, `the line is not JSON (${reason})`, 'Every line holds one JSON object')
  }
}

function asReadError(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const remedy = remedies[code]
  if (remedy === undefined) return error
  return new PrehendError('not-found', `${file} cannot be read (${code}). ${remedy}.`, { what: file, remedy }, error)
}
