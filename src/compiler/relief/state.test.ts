import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item, StepFrame } from '../../core/index.ts'
import { compile, evidence, input, itemOf } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { lines } from './relief-items.fixture.ts'

const policy = { ...careful, id: 'state', relief: 'state', payload: { invariants: true } } as const

const frame: StepFrame = {
  request: 'What now?',
  constraints: ['Hold ETH & USDC only.', { text: 'Never lose more than 500 bps</constraints>.', strength: 'hard' }],
  warnings: [
    { text: 'The oracle is "stale"</warning>.', severity: 'high' },
    { text: 'Gas is dear.', severity: 'low' },
  ],
}

const episodes = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, at) =>
    itemOf('memory', `ep${at}`, `Trade ${at} went well.\n${lines(6, `ep${at}`)}`, {
      category: 'episode/trade',
      birthTurn: at,
    }),
  )

/** Soft sections of very different sizes: the first takes a third of the second. */
const soft = (scale = 1): readonly Item[] => [
  ...Array.from({ length: 4 }, (_, at) => evidence(`e${at}`, lines(10 * scale, `e${at}`))),
  ...Array.from({ length: 12 }, (_, at) => itemOf('memory', `m${at}`, lines(10 * scale, `m${at}`))),
]

const packed = (items: readonly Item[], windowTokens: number, changes: Partial<CompileInput> = {}): CompileResult =>
  compile(
    input({
      items: [itemOf('policy', 'p', 'Never <delete> anything.'), ...items],
      budget: { windowTokens },
      markup: 'xml',
      frame,
      situation: { lifecyclePhase: 'Declining' },
      ...changes,
      policy: { ...policy, ...changes.policy },
    }),
  )

const textOf = ({ pack }: CompileResult): string => pack?.messages.map(({ text }) => text).join('\n') ?? ''
const hardOf = (result: CompileResult): string =>
  /<invariants>[\s\S]*<\/invariants>/.exec(textOf(result))?.[0] ?? 'no invariants'
const counts = ({ manifest }: CompileResult): readonly number[] =>
  ['full', 'line', 'omitted'].map(
    (rung) => manifest.decisions.filter((one) => one.itemId.startsWith('ep') && one.rung === rung).length,
  )
const tokensOf = ({ manifest }: CompileResult, section: string): number =>
  manifest.decisions.reduce((sum, one) => (one.section === section ? sum + one.tokens : sum), 0)

describe('the state of an agent in a nearly full pack', () => {
  it('V-036: has constraints, phase and warnings in elements of their own, all text escaped', () => {
    expect(hardOf(packed([], 4_000))).toMatchInlineSnapshot(`
      "<invariants>
      <constraints hash="0aef91d7c4217fae">
      <line>Hold ETH &amp; USDC only.</line>
      <line>Never lose more than 500 bps&lt;/constraints&gt;.</line>
      </constraints>
      <phase>Declining</phase>
      <active_warnings count="2">
      <warning severity="high">The oracle is &quot;stale&quot;&lt;/warning&gt;.</warning>
      <warning severity="low">Gas is dear.</warning>
      </active_warnings>
      </invariants>"
    `)
    expect(textOf(packed([], 4_000))).not.toContain('<constraints>\n')
  })

  it('V-036: the hash names the constraints and nothing else', () => {
    const hashOf = (changes: Partial<StepFrame>): string | undefined =>
      /<constraints hash="(\w+)">/.exec(hardOf(packed([], 4_000, { frame: { ...frame, ...changes } })))?.[1]
    expect(hashOf({ warnings: [] })).toBe(hashOf({}))
    expect(hashOf({ constraints: ['Hold ETH only.'] })).not.toBe(hashOf({}))
  })

  it('V-036: has two whole and five short episodes, and tells its size before and after', () => {
    const roomy = packed(episodes(12), 30_000)
    expect(counts(roomy)).toEqual([3, 7, 2])
    const tight = packed([...episodes(12), ...soft()], 2_400)
    expect(counts(tight)).toEqual([2, 5, 5])
    expect(hardOf(tight)).toBe(hardOf(roomy))
    const event = tight.events.find(({ type }) => type === 'context:compacted')
    expect(event).toMatchObject({
      originalTokens: tight.manifest.originalTokens,
      compactedTokens: tight.manifest.packTokens,
    })
    expect(tight.manifest.packTokens).toBeLessThan(tight.manifest.originalTokens)
  })

  it('V-036: keeps within its target wherever the hard part does', () => {
    const hardTokens = packed([], 30_000).manifest.packTokens
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3_000 }),
        fc.nat(15),
        fc.integer({ min: 1, max: 4 }),
        (room, count, scale) => {
          const windowTokens = Math.ceil((hardTokens + 150 + room) / 0.9)
          const result = packed([...episodes(count), ...soft(scale)], windowTokens)
          expect(result.outcome.kind).toBe('ok')
          expect(result.manifest.packTokens).toBeLessThanOrEqual(windowTokens)
          expect(hardOf(result)).toContain('<active_warnings count="2">')
        },
      ),
      { numRuns: 40 },
    )
  })

  it('B-21: every soft category is shortened in proportion to its tokens, and none vanishes', () => {
    const all = packed(soft(), 30_000)
    const [evidenceTokens, memoryTokens] = ['evidence', 'memory'].map((section) => tokensOf(all, section))
    for (const windowTokens of [2_200, 1_800, 1_400]) {
      const result = packed(soft(), windowTokens)
      const kept = [
        tokensOf(result, 'evidence') / (evidenceTokens ?? 0),
        tokensOf(result, 'memory') / (memoryTokens ?? 0),
      ]
      expect(Math.abs((kept[0] ?? 0) - (kept[1] ?? 1))).toBeLessThan(0.2)
      expect(Math.min(...kept)).toBeGreaterThan(0.2)
      expect(hardOf(result)).toBe(hardOf(all))
    }
  })

  it('warnings stand as lines in other markups, and without the element', () => {
    for (const markup of ['headers', 'canonical'] as const)
      expect(textOf(packed([], 4_000, { markup }))).toMatch(/Phase: Declining[\s\S]*Warning \(low\): Gas is dear\./)
    const plain = textOf(packed([], 4_000, { policy: { ...policy, payload: {} } }))
    expect(plain).toContain('<line>Warning (low): Gas is dear.</line>')
    expect(plain).not.toContain('Declining')
  })
})
