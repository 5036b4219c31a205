import { expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { dialogueOf } from './dialogue.ts'
import { summarist, summaryMemo } from './summarist.ts'
import type { SummaryMemo } from './summarist.ts'

const items: readonly Item[] = Array.from({ length: 4 }, (_, at) => ({
  id: `i${at}`,
  section: 'history',
  kind: 'text',
  role: at % 2 === 0 ? 'user' : 'assistant',
  text: Array.from({ length: 6 }, (_part, line) => `Part ${line} of ${at}: ${words(14, `w${at}-${line}-`)}.`).join(' '),
}))
const full = items.map(({ text }) => wordTokenizer.count(text))

function summaryText(tokens: readonly number[], memo: SummaryMemo): string | undefined {
  const made = summarist({
    items,
    tokens,
    dialogue: dialogueOf(items, () => false),
    policy: { mode: 'oneshot', blockTurns: 2, leastTokens: 10 },
    hash: sha256,
    handleKey: 'key',
    rehydration: true,
    memo,
    contentHash: (index) => sha256(items[index]?.text ?? ''),
    count: wordTokenizer.count,
  })
  return made({ first: 0, blocks: 1 }, 'oneshot')?.text
}

it('a summary of the same words is made anew where what they take has changed, as without a memory', () => {
  const memo = summaryMemo()
  const shortened = full.map((tokens) => Math.ceil(tokens / 2))
  const first = summaryText(full, memo)
  const second = summaryText(shortened, memo)
  expect(second).toBe(summaryText(shortened, summaryMemo()))
  expect(wordTokenizer.count(second ?? '')).toBeLessThan(wordTokenizer.count(first ?? ''))
  expect(summaryText(full, memo)).toBe(first)
})
