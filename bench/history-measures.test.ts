import { expect, it } from 'vitest'
import { careful, createCompiler } from '../src/compiler/index.ts'
import type { Item } from '../src/core/index.ts'
import { sha256 } from '../src/host/index.ts'
import { factsOf, rareFacts, shareOf } from './history-measures.ts'

const said = (id: string, role: 'user' | 'assistant', text: string): Item => ({
  id,
  section: 'history',
  kind: 'text',
  role,
  text,
})

it('facts are names inside sentences, numbers and paths', () => {
  expect(factsOf('We met Ada in Paris on 17 May, and read src/index.ts. The end.')).toEqual([
    'ada',
    'paris',
    '17',
    'may',
    'src/index.ts',
  ])
})

it('N-08: what compressing a history saves is reported with the facts that are retained', () => {
  const items = Array.from({ length: 40 }, (_, at) => [
    said(
      `u${at}`,
      'user',
      `Please note that order A-${at} goes to Town${at} soon. ${'It is as it was before, and so on. '.repeat(4)}`,
    ),
    said(`a${at}`, 'assistant', `That is noted. ${'There is nothing more to say of this at all. '.repeat(4)}`),
  ]).flat()
  const count = (text: string): number => text.split(/\s+/).length
  const full = items.reduce((sum, { text }) => sum + count(text), 0)
  const { pack } = createCompiler({ tokenizer: { id: 'words', count }, hash: sha256 }).compile({
    items,
    layout: 'messages',
    policy: { ...careful, sections: [{ section: 'history', max: Math.floor(full / 2) }], summaries: {} },
    budget: { windowTokens: 100_000 },
    rehydration: true,
  })
  const text = (pack?.entries ?? []).map((entry) => entry.text.toLowerCase()).join('\n')
  const facts = rareFacts(items, new Set(items.map(({ id }) => id)))
  expect(facts.length).toBeGreaterThanOrEqual(60)
  expect(1 - (pack?.tokens ?? full) / full).toBeGreaterThan(0.3)
  expect(shareOf(facts, (fact) => text.includes(fact))).toBeGreaterThan(0.9)
})
