import { isUtf8 } from 'node:buffer'
import type { Vocabulary } from './vocabulary.ts'

interface ClaudeData {
  readonly stringEncoder: { readonly [token: string]: number }
  readonly binaryEncoder: readonly (readonly [Uint8Array, number])[]
}

/** Puts the published Claude vocabulary into maps, in which a token such as `constructor` cannot meet a prototype. */
export function readClaudeVocabulary(data: ClaudeData): Vocabulary {
  const whole = new Map(Object.entries(data.stringEncoder))
  const parts = new Map<string, number>()
  for (const [bytes, rank] of data.binaryEncoder) {
    const token = Buffer.from(bytes)
    if (isUtf8(token)) whole.set(token.toString('utf8'), rank)
    else parts.set(token.toString('latin1'), rank)
  }
  return { whole, parts }
}
