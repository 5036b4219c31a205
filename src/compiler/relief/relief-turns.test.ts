import { describe, expect, it } from 'vitest'
import type { CompileResult, Item, Ledger } from '../../core/index.ts'
import { evidence, itemOf, words } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { lines, packed, rounds, rungsOf, stepsOf, tool, turns } from './relief-items.fixture.ts'

const said = (id: string, tokens: number): Item => itemOf('history', id, words(tokens, id), { role: 'assistant' })

/** What stands before the last message, which is written anew for every request. */
const cached = ({ pack }: CompileResult): readonly string[] =>
  (pack?.messages ?? []).slice(0, -1).map(({ text }) => text)

describe('relief from turn to turn', () => {
  const items = [tool('alpha'), tool('beta'), ...turns(3), ...rounds(5)]
  const turn = (ledger: Ledger | undefined, more: readonly Item[] = [], nowMs = 0): CompileResult =>
    packed({
      relief: 'proactive',
      items: [...items, ...more],
      windowTokens: 3_800,
      nowMs,
      ...(ledger !== undefined && { ledger }),
    })

  it('B-61: what a payload has shortened of tools and conversation stays so while the provider has it cached', () => {
    const first = turn(undefined)
    expect(stepsOf(first)).toEqual(['schemas', 'mask'])
    const second = turn(first.ledger, [said('a', 20), evidence('e', words(20, 'e'))], 1_000)
    expect(stepsOf(second)).toEqual([])
    expect(cached(second).slice(0, cached(first).length)).toEqual(cached(first))
    expect(second.manifest.epoch).toMatchObject({ decision: 'hold' })
    const reasons = new Map(second.manifest.decisions.map(({ itemId, reason }) => [itemId, reason]))
    expect([reasons.get('alpha'), reasons.get('r0'), reasons.get('r4')]).toEqual(['ledger', 'ledger', 'fits'])
  })

  it('B-61: what was shortened stays shortened where the next request needs less room', () => {
    const first = turn(undefined, [evidence('e', words(300, 'e'))])
    const next = turn(first.ledger, [], 1_000)
    expect(cached(next)).toEqual(cached(first))
    expect(cached(turn(undefined))).not.toEqual(cached(first))
  })

  it('begins an epoch where there is want of room again, and starts from what came once the cache is cold', () => {
    const first = turn(undefined)
    const full = turn(first.ledger, [said('a', 600)], 1_000)
    expect(stepsOf(full)).toContain('mask')
    expect(full.manifest.epoch).toMatchObject({ decision: 'begin', cause: 'pressure' })
    const cold = turn(first.ledger, [], 10_000_000)
    expect(stepsOf(cold)).toEqual(stepsOf(first))
    expect(cold.pack?.hash).toBe(first.pack?.hash)
  })
})

it('B-61: what joins a group that was left out of a payload brings it back, so that it stays whole or away', () => {
  const items = [...rounds(3), said('late', 20)]
  const given = { relief: ['drop-history'], windowTokens: 900 } as const
  const first = packed({ ...given, items })
  expect(rungsOf(first)).toMatchObject({ c0: 'omitted', r0: 'omitted' })
  const joined = evidence('e', words(10, 'e'), { group: 'g0' })
  const fates = (windowTokens: number) => {
    const { manifest } = packed({ ...given, windowTokens, items: [...items, joined], ledger: first.ledger })
    const shown = manifest.decisions.filter(({ itemId }) => ['c0', 'r0', 'e'].includes(itemId))
    return shown.map(({ rung }) => rung === 'omitted')
  }
  expect(fates(900)).toEqual([true, true, true])
  expect(fates(3_000)).toEqual([false, false, false])
})

describe('a conversation under pressure', () => {
  const collected = [
    itemOf('memory', 'm1', lines(30, 'm1'), { scores: { relevance: 0.2 } }),
    itemOf('memory', 'm2', lines(30, 'm2'), { scores: { relevance: 0.8 } }),
    evidence('e1', lines(30, 'e1')),
  ]
  const talk = [itemOf('policy', 'p', 'Never delete anything.'), ...rounds(4), ...collected]
  const windows = [3_000, 2_500, 2_200, 1_900, 1_700, 1_500, 1_200, 900, 600]
  /** Never begins an epoch to save money. */
  const policy = { ...careful, epochs: { ...careful.epochs, reserveCalls: 1e9 } }

  it('P-010, X-08: memory gives way before evidence, evidence before conversation; policy stays and the reserve is kept', () => {
    const seen = new Set<string>()
    for (const windowTokens of windows) {
      const result = packed({ relief: 'step-pack', layout: 'messages', items: talk, windowTokens, policy })
      const { manifest, pack, budget } = result
      const rungs = rungsOf(result)
      const touched = (ids: readonly string[]): boolean => ids.some((id) => rungs[id] !== 'full')
      if (touched(['r0', 'r1', 'r2'])) expect([rungs['m1'], rungs['m2'], rungs['e1']]).toEqual(Array(3).fill('omitted'))
      if (touched(['e1'])) expect(touched(['m1'])).toBe(true)
      if (rungs['m2'] === 'omitted') expect(rungs['m1']).toBe('omitted')
      expect(rungs['p']).toBe('full')
      expect(pack?.tokens ?? 0).toBeLessThanOrEqual(budget.windowTokens - budget.reserveTokens)
      expect(manifest.outcome).toBe('ok')
      seen.add(['m1', 'e1', 'r0'].map((id) => rungs[id]).join(' '))
    }
    expect(seen.size).toBeGreaterThan(3)
  })

  it('keeps what it left out and shortened until the next epoch, to the byte', () => {
    const first = packed({ relief: 'step-pack', layout: 'messages', items: talk, windowTokens: 1_500, policy })
    expect(stepsOf(first)).toContain('drop-memory')
    const asked = itemOf('history', 'asked', 'What now?', { role: 'user' })
    const next = packed({
      relief: 'step-pack',
      layout: 'messages',
      items: [...talk, asked, said('answer', 10)],
      windowTokens: 1_500,
      policy,
      ledger: first.ledger,
    })
    expect(stepsOf(next)).toEqual([])
    const before = first.pack?.messages.map(({ text }) => text) ?? []
    expect(next.pack?.messages.slice(0, before.length).map(({ text }) => text)).toEqual(before)
  })

  it('never shortens what the model is asked, nor calls where a policy has them whole', () => {
    const epochs = { ...policy.epochs, ownCalls: 'whole' } as const
    const items = [
      ...talk,
      ...rounds(2, { group: 'late' }).map((item) => ({ ...item, id: `late ${item.id}`, text: lines(30, item.id) })),
    ]
    for (const relief of ['ladder', 'step-pack', 'prune-compress-evict', 'proactive'] as const) {
      const asked = itemOf('history', 'question', lines(30, 'question'), { role: 'user' })
      const result = packed({
        relief,
        layout: 'messages',
        items: [...items, said('reply', 10), asked],
        windowTokens: 3_800,
        policy: { ...policy, epochs, overflow: 'fail-loud' },
      })
      const rungs = rungsOf(result)
      expect([relief, result.outcome.kind]).toEqual([relief, 'ok'])
      expect([rungs['question'], rungs['late c0'], rungs['c0']]).toEqual(['full', 'full', 'full'])
      expect(stepsOf(result).length).toBeGreaterThan(0)
    }
  })

  it('under fail-loud nothing is left out: steps that shorten come first, and then nothing is sent', () => {
    const loud = { ...policy, overflow: 'fail-loud' } as const
    const given = { relief: 'step-pack', layout: 'messages', items: talk } as const
    const shortened = packed({ ...given, windowTokens: 2_400, policy: loud })
    expect(shortened.outcome.kind).toBe('ok')
    expect(Object.values(rungsOf(shortened))).not.toContain('omitted')
    expect(stepsOf(shortened)).toContain('compress-memory')
    expect(packed({ ...given, windowTokens: 120, policy: loud }).outcome.kind).toBe('budget-exhausted')
  })
})
