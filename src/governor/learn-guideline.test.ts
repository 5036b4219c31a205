import { describe, expect, it } from 'vitest'
import type { Guideline } from '../core/index.ts'
import { evidence, guidelinesFor } from '../core/index.ts'
import { sha256 } from '../host/index.ts'
import { careful, createCompiler } from '../compiler/index.ts'
import { countGuidelines, guidelinePrompt, learnGuideline } from './learn-guideline.ts'

const count = (text: string): number => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu)?.length ?? 0
const { compile } = createCompiler({ tokenizer: { id: 'words', count }, hash: sha256 })

const failure = {
  category: 'evidence',
  taskType: 'refund',
  regime: 'busy',
  avoidedByFull: true,
  originalTokens: 900,
  compressedTokens: 300,
  lost: 'The lamp on the second pier is painted in a plain green',
  impact: 'The agent asked for the colour again.',
}
const making = { newId: () => 'g1', nowMs: 5 }

const filler = Array.from(
  { length: 14 },
  (_, at) =>
    `In ${1700 + 7 * at} the council of Lower Town${at} paid ${at * 31 + 12} crowns to Master Thomas${at} for ${['stone', 'timber', 'sails', 'rope', 'bells', 'salt', 'wool'][at % 7]} number ${at}.`,
)
const text = [...filler.slice(0, 7), `${failure.lost}.`, ...filler.slice(7)].join(' ')

function shown(guidelines: readonly Guideline[], situation: Readonly<Record<string, string>>) {
  const compression = { above: 0, keepRatio: 0.3, minFidelity: 0.1, guidelines }
  const { pack, manifest } = compile({
    items: [evidence(text, 'town')],
    policy: { ...careful, compression },
    situation,
    budget: { windowTokens: 10_000 },
    layout: 'payload',
    frame: { request: 'Which colour?' },
    rehydration: true,
  })
  return { text: pack?.entries[0]?.text ?? '', applied: manifest.compression?.guidelines }
}

describe('guidelines of compression', () => {
  it('V-041: a failure that full context would have avoided makes one, with counts of zero, and the next compression follows it', async () => {
    const situation = { taskClass: 'refund', regime: 'busy' }
    expect(shown([], situation).text).not.toContain('second pier')
    const learnt = await learnGuideline(failure, making)
    expect(learnt).toMatchObject({ id: 'g1', createdMs: 5, triggerCount: 0, preventedFailures: 0 })
    const after = shown([learnt!], situation)
    expect(after.text).toContain('lamp on the second pier')
    expect(after.applied).toEqual(['g1'])
  })

  it('V-041: none where full context would have failed as well, and nothing is an error that says so', async () => {
    expect(await learnGuideline({ ...failure, avoidedByFull: false }, making)).toBeUndefined()
    await expect(learnGuideline({ ...failure, lost: ' ' }, making)).rejects.toThrow(/failure.lost/)
  })

  it('V-041: a cheap model writes one or two sentences from what was lost and what came of it', async () => {
    const asked: string[] = []
    const write = async (prompt: string) => {
      asked.push(prompt)
      return 'Keep "the second pier". Keep colours. And a third sentence.'
    }
    const learnt = await learnGuideline(failure, { ...making, write })
    expect(learnt?.text).toBe('Keep "the second pier". Keep colours.')
    for (const part of ['900', '300', 'refund', 'busy', 'evidence', failure.lost, failure.impact])
      expect(asked[0]).toContain(part)
    expect(guidelinePrompt(failure)).toBe(asked[0])
  })

  it('V-042: they apply where category, kind of task and regime are the very same', async () => {
    const one = (await learnGuideline(failure, making))!
    const key = { category: 'evidence', taskType: 'refund', regime: 'busy' }
    expect(guidelinesFor([one], key)).toEqual([one])
    for (const other of [
      { ...key, category: 'memory' },
      { ...key, taskType: 'Refund' },
      { ...key, regime: '' },
    ])
      expect(guidelinesFor([one], other)).toEqual([])
    expect(shown([one], { taskClass: 'refund', regime: 'calm' }).applied).toBeUndefined()
    expect(shown([one], { regime: 'busy' }).text).not.toContain('second pier')
  })

  it('V-040: has an id, a category, a kind of task, a regime, a text and counts, which rise when it applied and when it prevented', async () => {
    const one = (await learnGuideline(failure, making))!
    expect(Object.keys(one).toSorted()).toEqual(
      ['category', 'createdMs', 'id', 'preventedFailures', 'regime', 'taskType', 'text', 'triggerCount'].toSorted(),
    )
    const other = { ...one, id: 'g2' }
    const counted = countGuidelines([one, other], { applied: ['g1', 'g2'], prevented: ['g2'] })
    expect(counted.map(({ triggerCount, preventedFailures }) => [triggerCount, preventedFailures])).toEqual([
      [1, 0],
      [1, 1],
    ])
    const { id: _, ...nameless } = one
    expect(() => shown([nameless as Guideline], {})).toThrow(/guidelines\[0\]\.id/)
  })
})
