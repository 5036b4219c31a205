import { describe, expect, it } from 'vitest'
import { careful, governor } from '../compiler/index.ts'
import type { CompileInput, Item, Policy } from '../core/index.ts'
import { compile, found } from './governor.fixture.ts'
import { openGovernor } from './open-governor.ts'
import type { CandidateQuery, TurnRecord } from './open-governor.ts'
import { applyDelta } from './workspace-delta.ts'
import type { Workspace } from './workspace.ts'

const words = (count: number, name: string): string =>
  Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ')
const insight = (id: string, section: string, text: string): Item => ({ id, section, kind: 'text', text })
const frame = { request: 'What now?' }
const budget = { windowTokens: 9_000 }

const candidates = (tick: number): readonly Item[] => [
  { id: 'cage', section: 'policy', kind: 'instruction', role: 'system', text: words(100, 'cage') },
  ...Array.from({ length: 30 }, (_, at) => insight(`e${tick}-${at}`, 'Episodes', words(80, `e${tick}x${at}y`))),
  ...Array.from({ length: 30 }, (_, at) => insight(`i${at}`, 'Insights', words(60, `i${at}y`))),
]

describe('a governor', () => {
  it('V-061: assembles once per invocation: policy, overrides, affect, candidates, budgets, selection, storage', async () => {
    const steps: string[] = []
    let asked: CandidateQuery | undefined
    let compiled: CompileInput | undefined
    const opened = openGovernor({
      policy: () => (steps.push('policy'), governor),
      retrieval: { maxEpisodes: 8, minSimilarity: 0.6, minConfidence: 0.5, maxDepth: 2 },
      candidates: async (query) => {
        steps.push('candidates')
        asked = query
        return candidates(1)
      },
      compile: (input) => {
        steps.push('selection')
        compiled = input
        return compile(input)
      },
      keep: ({ tick }) => void steps.push(`storage ${tick}`),
    })
    const affect = { pleasure: -0.5, arousal: 0.5, dominance: 0 }
    const situation = { regime: 'Volatile', lifecyclePhase: 'Conservation', affect }
    const invocation = { tick: 1, frame, budget, situation }
    const { workspace, result } = await opened.beforeCall(invocation)
    expect(steps).toEqual(['policy', 'candidates', 'selection', 'storage 1'])
    const limits = { maxEpisodes: 8, minSimilarity: 0.6, minConfidence: 0.5, maxDepth: 2 }
    expect(asked).toEqual({ ...limits, situation, request: 'What now?', shut: ['DreamHypotheses'] })
    expect(compiled?.situation).toEqual(situation)
    expect(result.manifest.overrides).toEqual(['lifecyclePhase Conservation', 'regime Volatile', 'affect'])
    const granted = workspace.reasons.reduce((sum, { tokensAllocated }) => sum + tokensAllocated, 0)
    expect(granted).toBeLessThanOrEqual(governor.softTokens ?? 0)
    expect(workspace.totalTokens).toBeGreaterThan(1_000)
    const again = await opened.beforeCall(invocation)
    expect(again.workspace).toBe(workspace)
    expect(steps).toHaveLength(4)
    await opened.beforeCall({ ...invocation, tick: 2 })
    expect(steps.slice(4)).toEqual(['policy', 'candidates', 'selection', 'storage 2'])
  })

  it('V-061, V-010: asks for candidates within the usual limits, and within other figures where a host gives them', async () => {
    const asked: CandidateQuery[] = []
    const candidatesOf = async (query: CandidateQuery) => (asked.push(query), candidates(1))
    for (const retrieval of [undefined, { maxEpisodes: 4 }]) {
      const opened = openGovernor({ compile, candidates: candidatesOf, ...(retrieval && { retrieval }) })
      await opened.beforeCall({ tick: 1, frame, budget })
    }
    const usual = { maxEpisodes: 10, minSimilarity: 0.3, minConfidence: 0.4, maxDepth: 3 }
    expect(asked).toMatchObject([usual, { ...usual, maxEpisodes: 4 }])
  })

  it('V-002: selects among what it is given and looks for nothing itself; between retrieval and the call, and after the turn', async () => {
    const learnt: TurnRecord[] = []
    const given = candidates(1)
    const opened = openGovernor({
      compile: (input) => {
        expect(input.items).toBe(given)
        return compile(input)
      },
      candidates: async () => given,
      learn: (record) => learnt.push(record),
    })
    expect(() => opened.afterTurn({ tick: 1, outcome: 'good' })).toThrow(/no workspace of tick 1/)
    const { workspace } = await opened.beforeCall({ tick: 1, frame, budget })
    const ids = new Set(given.map(({ id }) => id))
    for (const { entries } of workspace.categories) for (const { id } of entries) expect(ids).toContain(id)
    opened.afterTurn({ tick: 1, outcome: 'good' })
    expect(learnt).toEqual([{ tick: 1, outcome: 'good', workspace, reasons: workspace.reasons }])
    expect(() => opened.afterTurn({ tick: 2, outcome: 'bad' })).toThrow(/beforeCall with this tick/)
  })

  it('V-001: where nothing has been learnt the shares are the static ones, by regime', async () => {
    const opened = openGovernor({ compile, candidates: async () => candidates(1) })
    const plain = await opened.beforeCall({ tick: 1, frame, budget })
    const given = { items: candidates(1), policy: governor, budget, frame }
    expect(plain.workspace.reasons).toEqual(reasonsOf(compile({ ...given, situation: {} })))
    const volatile = await opened.beforeCall({ tick: 2, frame, budget, situation: { regime: 'Volatile' } })
    expect(volatile.workspace.reasons).toEqual(reasonsOf(compile({ ...given, situation: { regime: 'Volatile' } })))
    expect(volatile.workspace.reasons).not.toEqual(plain.workspace.reasons)
  })

  it('calls that come at once are assembled one after the other, and one that failed is tried again', async () => {
    let fails = true
    const opened = openGovernor({
      compile,
      candidates: async () => {
        if (fails) throw new Error('the library is closed')
        return candidates(1)
      },
    })
    await expect(opened.beforeCall({ tick: 1, frame, budget })).rejects.toThrow(/library is closed/)
    fails = false
    const [first, second] = await Promise.all([1, 2].map((tick) => opened.beforeCall({ tick, frame, budget })))
    expect(first?.delta).toBeUndefined()
    expect(second?.delta?.changedCategories).toEqual([])
  })
})

function reasonsOf({ manifest }: ReturnType<typeof compile>) {
  return manifest.sections.map(({ section, allocatedTokens, usedTokens, included, excluded }) =>
    expect.objectContaining({
      category: section,
      tokensAllocated: allocatedTokens,
      tokensUsed: usedTokens,
      itemsIncluded: included,
      itemsExcluded: excluded,
    }),
  )
}

it('G-070: built anew each tick it does not grow over five hundred, and each follows from the one before by its delta', async () => {
  const policy: Policy = { ...careful, softTokens: 2_000, fractions: { evidence: 0.6, memory: 0.4 } }
  const seen: Item[] = []
  const opened = openGovernor({
    compile,
    policy: () => policy,
    candidates: async () => {
      const tick = seen.length
      seen.push(found(`seen ${tick}`, words(30 + (tick % 7), `t${tick}x`), { scores: { freshness: tick / 500 } }))
      return seen
    },
  })
  const sizes: number[] = []
  let workspace: Workspace | undefined
  for (let tick = 0; tick < 500; tick += 1) {
    const call = await opened.beforeCall({ tick, frame, budget: { windowTokens: 4_000 } })
    expect(call.workspace.totalTokens).toBeLessThanOrEqual(2_000)
    workspace = workspace && call.delta ? applyDelta(workspace, call.delta) : call.workspace
    expect(workspace).toEqual(call.workspace)
    sizes.push(call.workspace.totalTokens)
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  expect(mean(sizes.slice(400))).toBeLessThan(1.05 * mean(sizes.slice(100, 200)))
  const offered = seen.reduce((sum, { text }) => sum + text.split(' ').length, 0)
  expect(offered).toBeGreaterThan(8 * mean(sizes.slice(400)))
}, 120_000)
