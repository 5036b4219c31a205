import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const source = join(import.meta.dirname, '..')

/** A text's length over what a token is taken to have, and packages that count by themselves. */
const otherCounts = [
  /(?:\.length|\.byteLength|[cC]hars|[bB]ytes)\s*\/\s*(?:(?:4|3\.\d+)\b|\w*(?:chars?_?per|per_?token)\w*)/i,
  /from '(?:gpt-tokenizer|ai-tokenizer|tiktoken|js-tiktoken|@anthropic-ai\/tokenizer|@lenml\/)/,
  /'(?:gpt-tokenizer|ai-tokenizer)\//,
]

const lines = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .flatMap((name) =>
    readFileSync(join(source, name), 'utf8')
      .split('\n')
      .map((line, index) => ({ at: `${name.replaceAll('\\', '/')}:${index + 1}`, line })),
  )

const countsOtherwise = (line: string): boolean => otherCounts.some((pattern) => pattern.test(line))

it('C-007: no room counts but by a tokenizer of this one', () => {
  const found = lines.filter(({ at, line }) => !at.startsWith('tokens/') && countsOtherwise(line))
  expect(found).toEqual([])
})

it('would see one that did', () => {
  expect(lines.length).toBeGreaterThan(10_000)
  for (const line of [
    'const tokens = Math.ceil(text.length / 4)',
    'return text.length / CHARS_PER_TOKEN',
    'const estimate = item.text.length / charsPerToken',
    "import { encode } from 'gpt-tokenizer'",
  ])
    expect(countsOtherwise(line)).toBe(true)
})
