import { describe, expect, it } from 'vitest'
import type { CompileInput } from '../../core/index.ts'
import { itemOf, sha256, wordTokenizer } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from '../policy/policies.ts'
import { agreements, conflicts, laterAgreements, laterConflicts } from './corpus.fixture.ts'
import type { Pair } from './corpus.fixture.ts'
import { findContradictions } from './find-contradictions.ts'

const isFound = ([system, payload]: Pair): boolean =>
  findContradictions([
    { at: 'system', text: system, isUser: false },
    { at: 'payload', text: payload, isUser: true },
  ]).length > 0

const countOf = (pairs: readonly Pair[]): number => pairs.filter(isFound).length

describe('A-020: orders that contradict each other by their words', () => {
  it('are found on sixty pairs that were looked at, half of them no contradiction', () => {
    expect([conflicts.length, agreements.length]).toEqual([30, 30])
    expect([countOf(conflicts), countOf(agreements)]).toEqual([23, 0])
  })

  it('and on sixty others, by which the figures in the docs are: recall 0.63, precision 1', () => {
    expect([laterConflicts.length, laterAgreements.length]).toEqual([30, 30])
    expect([countOf(laterConflicts), countOf(laterAgreements)]).toEqual([19, 0])
  })

  it('a user may change his mind; what the same system text says twice may not differ', () => {
    const [one, other] = ['Answer in JSON.', 'Answer in XML.']
    const both = (isUser: boolean) =>
      findContradictions([one, other].map((text, index) => ({ at: `t${index}`, text, isUser }))).length
    expect([both(true), both(false)]).toEqual([0, 1])
    expect(findContradictions([{ at: 'system', text: `${one} Be kind. ${other}`, isUser: false }])).toEqual([
      { about: 'format', first: { at: 'system', start: 0, end: 14 }, second: { at: 'system', start: 25, end: 38 } },
    ])
  })

  it('two orders that contradict each other are told of once for each thing that they are about', () => {
    const aboutOf = (...texts: readonly string[]) =>
      findContradictions(texts.map((text, at) => ({ at: `t${at}`, text, isUser: false }))).map(({ about }) => about)
    expect(aboutOf('Always answer in JSON.', 'Never answer in JSON.')).toEqual(['format'])
    expect(aboutOf('Answer in JSON in German.', 'Answer in XML in French.')).toEqual(['format', 'language'])
    expect(aboutOf('Name the customer.', 'Never name the customer.')).toEqual(['rule'])
  })

  it('takes a time in proportion to what it reads, whatever that is', () => {
    const hostile = [
      'no '.repeat(200_000),
      '"'.repeat(500_000),
      'a'.repeat(500_000),
      'Use JSON. Never use JSON. '.repeat(9000),
    ]
    const startedMs = performance.now()
    for (const text of hostile) expect(findContradictions([{ at: 's', text, isUser: false }]).length).toBeLessThan(21)
    expect(performance.now() - startedMs).toBeLessThan(2000)
  })
})

describe('A-020: the receipt', () => {
  const system = 'You are a clerk. Always answer in JSON. Use at most 50 words.'
  const asked = 'Look at this. Answer in XML, with at least 80 words.'
  const receiptOf = (layout: CompileInput['layout'], isAsked?: boolean) => {
    const rules = itemOf('policy', 'rules', system, { role: 'system', kind: 'instruction' })
    const query = itemOf('query', 'ask', asked, { role: 'user' })
    const policy = { ...careful, ...(isAsked !== undefined && { findContradictions: isAsked }) }
    const frame = { request: 'Go on.', constraints: ['Never answer in JSON.'] }
    const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
    const { manifest } = compiler.compile({
      items: [rules, query],
      layout,
      policy,
      frame,
      budget: { windowTokens: 900 },
    })
    return manifest.contradictions
  }

  it.each(['messages', 'payload'] as const)('warns of each with both places, where it is asked to: %s', (layout) => {
    const textOf: Readonly<Record<string, string>> = {
      'rules': system,
      'ask': asked,
      'frame.constraints[0]': 'Never answer in JSON.',
    }
    const told = receiptOf(layout, true)?.map(({ about, first, second }) => [
      about,
      ...[first, second].map(({ at, start, end }) => `${at}: ${textOf[at]?.slice(start, end)}`),
    ])
    expect(told).toEqual([
      ['format', 'rules: Always answer in JSON', 'ask: Answer in XML, with at least 80 words'],
      ['words', 'rules: Use at most 50 words', 'ask: Answer in XML, with at least 80 words'],
      ['format', 'rules: Always answer in JSON', 'frame.constraints[0]: Never answer in JSON'],
    ])
    expect(receiptOf(layout)).toBeUndefined()
  })
})
