import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { PrehendError, invalidInput, isPrehendError } from '../core/index.ts'
import { errnoOf } from './listening.ts'
import type { Io } from './io.ts'

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'Check the path',
  EISDIR: 'Name a file, not a folder',
  EACCES: 'Check the permissions of the file',
}

/** The text of a file, or of standard input for `-`. */
export async function readText(file: string, io: Io): Promise<string> {
  if (file === '-') return plainText(await io.readInput(), 'standard input')
  try {
    return plainText(decoded(await readFile(file), file), file)
  } catch (error) {
    if (isPrehendError(error)) throw error
    const code = errnoOf(error)
    const remedy = remedies[code] ?? 'Check the path'
    throw new PrehendError('not-found', `${file} cannot be read (${code}). ${remedy}.`, { what: file, remedy }, error)
  }
}

/** Unpacks gzip, and reads UTF-16 where a byte order mark says so: Windows PowerShell redirects output as that. */
function decoded(bytes: Buffer, file: string): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first !== 0x1f || second !== 0x8b) return bytes.toString('utf8')
  try {
    return gunzipSync(bytes).toString('utf8')
  } catch {
    throw invalidInput(file, 'is a damaged gzip file', 'Compress or copy it again')
  }
}

/** Characters that no JSON document holds and every binary file does. */
const binary = /[\0-\x08\x0E-\x1A\x1C-\x1F]/

/** Without the byte order mark that some editors put in front. Throws `invalid-input` for what is no text. */
export function plainText(text: string, file: string): string {
  if (binary.test(text)) throw invalidInput(file, 'is not a text', 'Give one JSON document in UTF-8')
  return text.replace(/^\uFEFF/, '')
}

/** JSON of a file; an error names the file and where in it. */
export function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON'
    const offset = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length)
    const remedy = 'Give one JSON document'
    throw new PrehendError('invalid-json', `${file}: ${reason}. ${remedy}.`, { field: file, remedy, offset }, error)
  }
}
