import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { compile, evidence, input, itemOf, words, wordTokenizer } from '../compile-input.fixture.ts'
import { accountOf } from './account.ts'

const asked = (index: number, text: string): Item => itemOf('history', `ask${index}`, text, { role: 'user' })

const work = (index: number): readonly Item[] => [
  itemOf('history', `call${index}`, '{"path":"a"}', { kind: 'tool-call', toolName: 'read', role: 'assistant' }),
  itemOf('history', `result${index}`, words(30, `secret${index}x`), { kind: 'tool-result', role: 'tool' }),
  itemOf('history', `say${index}`, words(30, `s${index}x`), { role: 'assistant' }),
]

const conversation = (turns: number): readonly Item[] =>
  Array.from({ length: turns }, (_, index) => [
    asked(index, `Please do task ${index}.\nAnd more.`),
    ...work(index),
  ]).flat()

const linesOf = (cut: readonly Item[], tokens = 1_000) =>
  accountOf({ cut, called: true, tokens, tokensOf: (line) => wordTokenizer.count(line) })

describe('the account of a cut conversation', () => {
  it('tells how it began, what was asked last and which tools were called, and quotes no result', () => {
    expect(linesOf(conversation(9))).toEqual([
      'asked: Please do task 0.',
      ...[3, 4, 5, 6, 7, 8].map((index) => `asked: Please do task ${index}.`),
      'called: read (9)',
    ])
  })

  it('is one line a fact, however long the words were', () => {
    const [line] = linesOf([asked(0, `\n  ${'🤖 '.repeat(500)}\u0085x`)])
    expect(line?.endsWith('🤖…')).toBe(true)
    expect(Array.from(line ?? '').length).toBeLessThan(110)
  })

  it('keeps to its tokens', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 80 }), (turns, tokens) => {
        const lines = linesOf(conversation(turns), tokens)
        expect(lines.reduce((sum, line) => sum + wordTokenizer.count(line), 0)).toBeLessThanOrEqual(tokens)
      }),
    )
  })

  it('A-046: where the conversation was cut, the payload says in short what was cut, within the budget', () => {
    for (const markup of ['headers', 'xml', 'canonical'] as const) {
      const result = compile(input({ items: conversation(60), markup, budget: { windowTokens: 2_500 } }))
      const payload = result.pack?.messages.at(-1)?.text ?? ''
      expect(result.outcome.kind).toBe('ok')
      expect(payload).toMatch(/\d+ (?:earlier messages|more) not shown/)
      expect(payload).toContain('asked: Please do task 0.')
      expect(payload).toContain('called: read (')
      expect(payload).not.toContain('asked: Please do task 59.')
    }
  })

  it('takes nothing where nothing is cut, and where all or nothing was asked for', () => {
    const roomy = compile(input({ items: conversation(3) })).pack?.messages.at(-1)?.text
    expect(roomy).toContain('CONVERSATION:\n- complete\nACCEPTANCE')
    const items = [...conversation(10), evidence('e', words(400))]
    const given = input({ items })
    const policy = { ...given.policy, overflow: 'fail-loud', reserveShare: 0 } as const
    const needed = compile(input({ items, policy, budget: { windowTokens: 900 } })).outcome
    const windowTokens = needed.kind === 'budget-exhausted' ? needed.neededTokens : 0
    expect(compile(input({ items, policy, budget: { windowTokens } })).outcome.kind).toBe('ok')
  })
})
