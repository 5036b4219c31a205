import { isUtf8 } from 'node:buffer'
import { RankTable } from './rank-table.ts'
import { type PartToken, type Vocabulary, partTable } from './vocabulary.ts'

interface ClaudeData {
  readonly stringEncoder: { readonly [token: string]: number }
  readonly binaryEncoder: readonly (readonly [Uint8Array, number])[]
}

/** Puts the published Claude vocabulary into tables, in which a token such as `constructor` cannot meet a prototype. */
export function readClaudeVocabulary(data: ClaudeData): Vocabulary {
  const tokens = new Map(Object.entries(data.stringEncoder))
  const parts: PartToken[] = []
  for (const [array, rank] of data.binaryEncoder) {
    const bytes = Buffer.from(array)
    if (isUtf8(bytes)) tokens.set(bytes.toString('utf8'), rank)
    else parts.push({ bytes: bytes.toString('latin1'), rank })
  }
  const units = tokens.keys().reduce((total, token) => total + token.length, 0)
  const whole = new RankTable(tokens.size, units)
  for (const [token, rank] of tokens) whole.add(rank, token)
  return { whole, parts: partTable(parts) }
}
