import { describe, expect, it } from 'vitest'
import type { Item, Ledger, SummaryMode } from '../../core/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { itemOf, words } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { chat, chatInput, compiled, says, shownOf, summariesIn } from './chats.fixture.ts'
import type { ChatOptions } from './chats.fixture.ts'

const after = (items: readonly Item[], ledger: Ledger, options: ChatOptions) =>
  compiled(chatInput(items, { ...options, input: { ...options.input, ledger } }))

describe('a conversation whose policy wants summaries', () => {
  it('stands as it was said as long as it keeps its budget, and is summarised with the first token beyond (G-006, X-34, B-02)', () => {
    const items = chat(20)
    const tokens = compiled(chatInput(items)).pack?.tokens ?? 0
    expect(summariesIn(compiled(chatInput(items, { max: tokens })))).toEqual([])
    expect(summariesIn(compiled(chatInput(items, { max: tokens - 1 })))).not.toEqual([])
    const many = compiled(chatInput(chat(80)))
    expect(summariesIn(many)).toEqual([])
  })

  it('shows complete blocks as their summaries, where they began, and what follows as it was said (P-068, B-51, P-017, A-045)', () => {
    const result = compiled(chatInput(chat(18), { max: 1500 }))
    const shown = shownOf(result)
    expect(Object.keys(shown).slice(0, 3)).toEqual(['user1', 'user6', 'user11'])
    expect(summariesIn(result)).toHaveLength(2)
    expect(Object.keys(shown).slice(2)).toEqual(
      [11, 12, 13, 14, 15, 16, 17, 18].flatMap((turn) => [`user${turn}`, `assistant${turn}`]),
    )
    expect(shown['user1']).toMatch(
      /^<conversation_summary>\n\[Summary: turns 1-5, \d+ tokens\] rehydrate\("\d{12}"\)\n/,
    )
    expect(shown['user1']).toContain('\n2 user, must hold: Never deploy on Fridays.\n')
    expect(shown['assistant18']).toBe(chat(18).at(-1)?.text)
    expect(result.pack?.tokens).toBeLessThanOrEqual(1500)
  })

  it('names in its receipt what each stands for, by whom and at which ratio (P-068)', () => {
    const { manifest } = compiled(chatInput(chat(18), { max: 1500 }))
    const [first] = manifest.summaries ?? []
    expect(first).toMatchObject({ writer: 'extractive/1', itemIds: chat(5).map(({ id }) => id) })
    expect(first?.keepRatio).toBeCloseTo((first?.tokens ?? 0) / (first?.sourceTokens ?? 1), 2)
    const fates = manifest.decisions.slice(0, 3).map(({ rung, reason, handle }) => ({ rung, reason, handle }))
    const by = { reason: 'pressure', handle: first?.handle }
    expect(fates).toEqual([
      { rung: 'summary', ...by },
      { rung: 'omitted', ...by },
      { rung: 'omitted', ...by },
    ])
  })

  it('keeps instructions, parts no call from its result and masks results by themselves (B-02, X-18, P-017)', () => {
    const call = { section: 'history', toolName: 'bash', toolCallId: 'x', group: 'x' }
    const items: readonly Item[] = [
      itemOf('policy', 'system', 'Be brief.', { role: 'system', kind: 'instruction' }),
      ...chat(2),
      { ...call, id: 'c', kind: 'tool-call', role: 'assistant', text: '{}' },
      { ...call, id: 'r', kind: 'tool-result', role: 'tool', text: words(200, 'line') },
      ...chat(18).slice(4),
    ]
    const shown = shownOf(compiled(chatInput(items, { max: 1500 })))
    expect(shown['system']).toBe('Be brief.')
    expect(shown['user1']).toContain('<conversation_summary>')
    expect([shown['c'], shown['r']].map((text) => text !== undefined)).toEqual([true, true])
    expect(shown['user1']).not.toContain('line0')
  })

  it('stays as it is in the requests that follow, and summarises each block once (P-068, B-51)', () => {
    const first = compiled(chatInput(chat(18), { max: 1500 }))
    const second = after(chat(19), first.ledger, { max: 1500 })
    expect(summariesIn(second)).toEqual(summariesIn(first))
    expect(Object.values(shownOf(second)).slice(0, 18)).toEqual(Object.values(shownOf(first)))
    const later = after(chat(30), second.ledger, { max: 1500 })
    expect(summariesIn(later).slice(0, 2)).toEqual(summariesIn(first))
  })

  it('summarises a block again when the client has changed what was said in it, and the others not (P-068)', () => {
    const first = compiled(chatInput(chat(18), { max: 1500 }))
    const changed = chat(20, (turn) => (turn === 7 ? `Always ask first. ${words(40, 'new')}.` : undefined))
    const second = summariesIn(after(changed, first.ledger, { max: 1500 }))
    expect(second).toHaveLength(3)
    expect(second[0]).toBe(summariesIn(first)[0])
    expect(second[1]).toContain('7 user, must hold: Always ask first.')
  })

  it.each<[SummaryMode, number]>([
    ['oneshot', 1],
    ['rolling', 1],
    ['checkpoint', 5],
    ['pyramid', 1],
  ])('has of mode %s as many summaries as that has (X-20, C-017, P-069)', (mode, expected) => {
    expect(summariesIn(compiled(chatInput(chat(33), { max: 2300, mode })))).toHaveLength(expected)
  })

  it('has checkpoints where nobody names a mode, and none where it is off (X-20)', () => {
    expect(summariesIn(compiled(chatInput(chat(33), { max: 2300 })))).toHaveLength(5)
    expect(summariesIn(compiled(chatInput(chat(33), { max: 2300, mode: 'off' })))).toEqual([])
  })

  it('folds the summary before into at most five bullets, or replaces it (C-017)', () => {
    const points = (text = ''): readonly string[] => text.split('\n').filter((line) => line.startsWith('- '))
    const rolling = (turns: number) => summariesIn(compiled(chatInput(chat(turns), { max: 1500, mode: 'rolling' })))
    expect(rolling(18)).toHaveLength(1)
    expect(points(rolling(18)[0]).length).toBeGreaterThan(1)
    expect(points(rolling(60)[0]).length).toBeLessThanOrEqual(5)
    expect(rolling(60)[0]).toContain('2 user, must hold: Never deploy on Fridays.')
    const before = compiled(chatInput(chat(18), { max: 1500, mode: 'oneshot' }))
    const next = summariesIn(after(chat(40), before.ledger, { max: 1500, mode: 'oneshot' }))
    expect(next).toHaveLength(1)
    expect(next).not.toEqual(summariesIn(before))
  })

  it('folds checkpoints that grow too many, until they fit (B-02)', () => {
    const result = compiled(chatInput(chat(200), { max: 1500 }))
    expect(summariesIn(result).length).toBeLessThan(10)
    expect(result.pack?.tokens).toBeLessThanOrEqual(1500)
  })

  it('has a pyramid of which only the frontier is shown, whatever the number of turns (P-069, B-50, N-34)', () => {
    const counts = [100, 1000].map((turns) => {
      const input = chatInput(chat(turns), { max: 6000, mode: 'pyramid', blockTurns: 10 })
      return summariesIn(compiled(input)).length
    })
    expect(counts.every((count) => count <= 12)).toBe(true)
  })

  it('of a level above the first quotes what stands in the summaries below, and no more of the turns (P-069)', () => {
    const summaryOf = (turns: number, foldBlocks: number): readonly string[] => {
      const options: ChatOptions = { max: 6000, mode: 'pyramid', blockTurns: 10 }
      const input = chatInput(chat(turns), options)
      const { summaries } = input.policy
      const policy = { ...input.policy, summaries: { ...summaries, foldBlocks } } as typeof input.policy
      return summariesIn(compiled({ ...input, policy }))
    }
    const linesOf = (text = ''): readonly string[] => text.split('\n').filter((line) => /^\d+ \w+[:,]/.test(line))
    // With more blocks to a level than there are, each block stands by itself.
    const blocks = summaryOf(100, 50)
    const [upper = '', ...others] = summaryOf(100, 5)
    expect([blocks.length > 5, others.length < blocks.length, linesOf(upper).length > 0]).toEqual([true, true, true])
    const below = new Set(blocks.flatMap(linesOf))
    expect(linesOf(upper).filter((line) => !below.has(line))).toEqual([])
    expect(linesOf(upper).length).toBeLessThan(blocks.slice(0, 5).flatMap(linesOf).length)
  })

  it('never summarises what is asked now, nor who asks to be read exactly, and leaves the least of turns alone (X-06)', () => {
    const items = [
      ...chat(12),
      says('user', 13, 'Repeat it verbatim: alpha beta.'),
      says('assistant', 13, 'alpha beta'),
    ]
    const stateless = compiled(chatInput([...items, ...chat(20).slice(26)], { max: 1100, preset: 'stateless' }))
    expect(shownOf(stateless)['user13']).toBe('Repeat it verbatim: alpha beta.')
    expect(shownOf(stateless)['user20']).toBe(chat(20).at(-2)?.text)
  })

  it('brings nothing that is longer than what it stands for', () => {
    const short = Array.from({ length: 20 }, (_, at) => [says('user', at, 'go'), says('assistant', at, 'ok')]).flat()
    expect(summariesIn(compiled(chatInput(short, { max: 35 })))).toEqual([])
  })

  it('stands where nothing can be brought back, without a marker, unless the policy wants that', () => {
    const without = { max: 1500, input: { rehydration: false } }
    expect(summariesIn(compiled(chatInput(chat(18), without)))[0]).not.toContain('rehydrate')
    expect(summariesIn(compiled(chatInput(chat(18), { ...without, recall: 'required' })))).toEqual([])
    const first = compiled(chatInput(chat(18), { max: 1500 }))
    const opened = after(chat(18), first.ledger, { max: 9000, input: { rehydration: false }, recall: 'required' })
    expect(shownOf(opened)['assistant3']).toBe(chat(3).at(-1)?.text)
  })

  it('takes what somebody has written of a block in place of the extract, and keeps what binds word for word (P-029, B-57)', () => {
    const plain = compiled(chatInput(chat(18), { max: 1500 }))
    const key = plain.manifest.summaries?.[0]?.key ?? ''
    const summaries = [{ key, writer: 'model/small', prose: 'They talked of two things.' }]
    const given = compiled(chatInput(chat(18), { max: 1500, input: { summaries } }))
    const [first = '', second] = summariesIn(given)
    expect(first).toContain('\nThey talked of two things.\n')
    expect(first).toContain('2 user, must hold: Never deploy on Fridays.')
    expect(second).toBe(summariesIn(plain)[1])
    expect(given.manifest.summaries?.map(({ writer }) => writer)).toEqual(['model/small', 'extractive/1'])
    expect(compiled(chatInput(chat(18), { max: 1500, input: { summaries } })).pack?.hash).toBe(given.pack?.hash)
  })

  it('keeps the newest 20 messages, instructions, and calls with their results, and makes the older part one summary of at most 2,000 tokens (G-031)', () => {
    const call = { section: 'history', toolName: 'bash', toolCallId: 'x', group: 'x' }
    const items: readonly Item[] = [
      itemOf('policy', 'system', 'Be brief.', { role: 'system', kind: 'instruction' }),
      ...chat(2),
      { ...call, id: 'c', kind: 'tool-call', role: 'assistant', text: '{}' },
      { ...call, id: 'r', kind: 'tool-result', role: 'tool', text: words(20, 'line') },
      ...chat(60).slice(4),
    ]
    const options = { mode: 'oneshot', recentTurns: 10, leastTurns: 10, blockTurns: 1, mostTokens: 2000 } as const
    const result = compiled(chatInput(items, { ...options, max: 5000 }))
    const shown = shownOf(result)
    const [summary = '', ...others] = summariesIn(result)
    expect(others).toEqual([])
    expect(summary).toContain('Summary: turns 1-50,')
    expect(result.manifest.summaries?.[0]?.tokens).toBeLessThanOrEqual(2048)
    expect(Object.keys(shown).slice(-20)).toEqual(
      chat(60)
        .slice(-20)
        .map(({ id }) => id),
    )
    expect(
      chat(60)
        .slice(-20)
        .every(({ id, text }) => shown[id] === text),
    ).toBe(true)
    expect([shown['system'], shown['c'] !== undefined, shown['r'] !== undefined]).toEqual(['Be brief.', true, true])
  })

  it('says which figure of its policy cannot be', () => {
    const field = (policy: object): unknown => {
      try {
        compiled({ ...chatInput(chat(1)), policy: { ...careful, ...policy } })
      } catch (error) {
        return isPrehendError(error) && 'field' in error.data ? error.data.field : error
      }
      return undefined
    }
    expect(field({ summaries: { mode: 'often' } })).toBe('policy.summaries.mode')
    expect(field({ summaries: { blockTurns: 0 } })).toBe('policy.summaries.blockTurns')
    expect(field({ summaries: { leastTokens: 10, mostTokens: 5 } })).toBe('policy.summaries.leastTokens')
    expect(field({ summaries: {}, epochs: { ...careful.epochs, lowestRung: 'lossless' } })).toBe('policy.summaries')
  })
})
