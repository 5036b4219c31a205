import { describe, expect, it } from 'vitest'
import type { Entailment } from '../../core/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { compile, evidence, input, sha256, wordTokenizer } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from '../policy/policies.ts'
import { labelledPairs } from './entailment.fixture.ts'
import { lexicalEntailment } from './lexical-entailment.ts'

const holds = (premise: string, statement: string) => lexicalEntailment.entails(premise, statement) >= 0.5

describe('P-052: entailment by words', () => {
  const judged = labelledPairs.map((pair) => ({ ...pair, found: holds(pair.premise, pair.statement) }))

  it('takes no statement for entailed whose figures, names or denials are others', () => {
    expect(judged.filter(({ follows, found }) => !follows && found).map(({ statement }) => statement)).toEqual([])
  })

  it('finds what follows in the words of the text, and says so of nothing that follows in other words', () => {
    const sayable = judged.filter(({ follows, inOtherWords }) => follows && inOtherWords !== true)
    expect(sayable.filter(({ found }) => !found).map(({ statement }) => statement)).toEqual([])
    const others = judged.filter(({ inOtherWords }) => inOtherWords)
    expect(others.filter(({ found }) => found).length).toBeLessThanOrEqual(1)
  })

  it('reads long and odd texts in linear time, and answers the same again', () => {
    const long = `${'a.'.repeat(50_000)}\n${'not '.repeat(20_000)}`
    const start = performance.now()
    const once = lexicalEntailment.entails(long, 'The end was not 41.')
    expect(performance.now() - start).toBeLessThan(5_000)
    expect(lexicalEntailment.entails(long, 'The end was not 41.')).toBe(once)
    expect([holds('', 'x'), holds('x', ''), holds('x', ' ')]).toEqual([false, true, true])
  })
})

describe('P-052, P-084: fidelity as the share of statements that still follow', () => {
  const log = Array.from({ length: 400 }, (_, at) => `2026-01-02 step ${at} of the build took ${at * 7} ms`).join('\n')
  const given = (windowTokens: number, more: object = {}) =>
    input({
      items: [evidence('log', log)],
      budget: { windowTokens },
      policy: { ...careful, quality: { fidelity: 'entailed', ...more } },
    })
  const fidelityOf = (windowTokens: number) => compile(given(windowTokens)).manifest.quality?.measures.fidelity ?? -1

  it('is the share of lines that still stand, where lines are what is stated', () => {
    const { pack, manifest } = compile(given(3_000))
    const shown = pack?.entries.find(({ itemId }) => itemId === 'log')?.text ?? ''
    const standing = log.split('\n').filter((line) => shown.includes(line)).length
    expect(standing).toBeGreaterThan(20)
    expect(manifest.quality?.measures.fidelity).toBeCloseTo(standing / 400, 2)
    expect(fidelityOf(20_000)).toBe(1)
  })

  it('a gate of 0.90 blocks what keeps less', () => {
    const gate = { gates: { fidelity: {} }, onBreach: 'reject' }
    const refused = () => compile(given(3_000, gate))
    expect(refused).toThrow(/^fidelity is 0\.\d+, at least 0\.900/)
    try {
      refused()
    } catch (error) {
      expect(isPrehendError(error) && error.code).toBe('quality-gate')
    }
    expect(compile(given(20_000, gate)).outcome.kind).toBe('ok')
  })

  it('asks an entailment of one’s own, once for each statement of what is shortened', () => {
    const asked: string[] = []
    const entailment: Entailment = { id: 'own', entails: (_, statement) => (asked.push(statement), asked.length % 2) }
    const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256, entailment })
    expect(compiler.compile(given(3_000)).manifest.quality?.measures.fidelity).toBe(0.5)
    expect(asked).toHaveLength(400)
    compiler.compile(given(3_000))
    expect(asked).toHaveLength(400)
    compiler.compile(given(20_000))
    expect(asked).toHaveLength(400)
  })
})
