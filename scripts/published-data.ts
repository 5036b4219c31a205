// Checks that vocabularies and listed prices are those of the packages that publish them; --fix writes them anew.
import { isUtf8 } from 'node:buffer'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { listedModelsFile } from './listed-models.ts'

const require = createRequire(import.meta.url)
const tokens = resolve(import.meta.dirname, '../src/tokens')

/** The bytes of every token, in the order of ranks. */
type Tokens = readonly Buffer[]

/** The `.tiktoken` format: a line per token, its bytes in base64, a space, its rank. */
function rankFile(name: string): Tokens {
  const lines = readFileSync(require.resolve(`gpt-tokenizer/data/${name}.tiktoken`), 'utf8')
    .trim()
    .split('\n')
  const rows = lines.map((line) => line.split(' ')).map(([bytes = '', rank]) => [bytes, Number(rank)] as const)
  return inOrder(rows.map(([bytes, rank]) => [Buffer.from(bytes, 'base64'), rank]))
}

function claudeTokens(): Tokens {
  const { stringEncoder, binaryEncoder } = require('ai-tokenizer/encoding/claude') as {
    readonly stringEncoder: { readonly [token: string]: number }
    readonly binaryEncoder: readonly (readonly [Uint8Array, number])[]
  }
  return inOrder([
    ...Object.entries(stringEncoder).map(([token, rank]) => [Buffer.from(token), rank] as const),
    ...binaryEncoder.map(([bytes, rank]) => [Buffer.from(bytes), rank] as const),
  ])
}

function inOrder(rows: readonly (readonly [Buffer, number])[]): Tokens {
  const sorted = rows.toSorted(([, a], [, b]) => a - b)
  if (new Set(sorted.map(([bytes]) => bytes.toString('latin1'))).size < rows.length)
    throw new Error('a token stands twice')
  return sorted.map(([bytes]) => bytes)
}

const SPACE = 32

/** As `TokenVocabulary` has it. */
function vocabularyFile(all: Tokens): string {
  const texts = all.map((bytes) => (isUtf8(bytes) ? bytes.toString('utf8') : ''))
  const lengths = texts.map((text) => String.fromCharCode(text.length + SPACE)).join('')
  const parts = all.filter((bytes) => !isUtf8(bytes)).map((bytes) => bytes.toString('hex'))
  return `${JSON.stringify({ text: texts.join(''), lengths, parts })}\n`
}

const files: Readonly<Record<string, string>> = {
  'vocabularies/o200k-base.json': vocabularyFile(rankFile('o200k_base')),
  'vocabularies/cl100k-base.json': vocabularyFile(rankFile('cl100k_base')),
  'vocabularies/claude.json': vocabularyFile(claudeTokens()),
  'catalogue/listed-models.ts': listedModelsFile(),
}

const fix = process.argv.includes('--fix')
for (const [name, text] of Object.entries(files)) {
  const path = resolve(tokens, name)
  if (fix) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`src/tokens/${name} is not what its package says; run: npm run check:data -- --fix`)
    process.exitCode = 1
  }
}
