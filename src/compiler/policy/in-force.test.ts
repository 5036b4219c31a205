import { describe, expect, it } from 'vitest'
import type { CompileInput, Item, Policy, Situation } from '../../core/index.ts'
import { careful } from './policies.ts'
import { verifyManifest } from '../receipt/verify-manifest.ts'
import { newCompiler, words } from '../word-tokens.fixture.ts'
import { governor, governorSections } from './governor.ts'

const compiler = newCompiler()

type Category = Parameters<typeof governorSections.unify>[0]

/** Twenty items of each, so that every share is asked for in full. */
const categories = (...names: readonly Category[]): readonly Item[] =>
  names.flatMap((name) =>
    Array.from({ length: 20 }, (_, index): Item => ({
      id: `${name}${index}`,
      section: governorSections.unify(name).section,
      kind: 'opaque',
      text: words(`${name}${index}x`, 100),
      ...(name === 'Invariants' && { authority: 'system' }),
    })),
  )

const everything = categories('Invariants', 'Episodes', 'Contrarian', 'DreamHypotheses', 'Mortality', 'OwnerControl')

const workspace = (situation: Situation, changes: Partial<CompileInput> = {}) => {
  const input: CompileInput = {
    items: everything,
    policy: governor,
    layout: 'payload',
    frame: { request: 'Go on.' },
    budget: { windowTokens: 100_000 },
    situation,
    ...changes,
  }
  const result = compiler.compile(input)
  const shown = result.manifest.sections.filter(({ included }) => included > 0)
  return {
    ...result,
    input,
    used: Object.fromEntries(shown.map(({ section, usedTokens }) => [section, usedTokens])),
    max: Object.fromEntries(result.manifest.sections.map(({ section, max }) => [section, max])),
  }
}

describe('a compile in a situation', () => {
  it('V-031, B-13: a terminal workspace holds invariants and mortality, and nothing else', () => {
    const { used, outcome } = workspace({ lifecyclePhase: 'Terminal', regime: 'BearHighVol' })
    expect(outcome.kind).toBe('ok')
    expect(Object.keys(used).toSorted()).toEqual(['Mortality', 'policy'])
  })

  it('V-031: a declining one has nothing contrary and nothing imagined, a thriving one has both', () => {
    const declining = Object.keys(workspace({ lifecyclePhase: 'Declining', regime: 'Volatile' }).used)
    expect(declining).not.toContain('Contrarian')
    expect(declining).not.toContain('DreamHypotheses')
    expect(Object.keys(workspace({ lifecyclePhase: 'Thriving' }).used)).toEqual(
      expect.arrayContaining(['Contrarian', 'DreamHypotheses']),
    )
  })

  it('B-68, V-016: what is never compressed is taken off at its size, and the soft sections divide the rest to the token', () => {
    const hardTokens = 40 * 100
    const { max, used, manifest } = workspace({})
    expect(manifest.decisions.filter(({ section }) => section === 'policy').every(({ rung }) => rung === 'full')).toBe(
      true,
    )
    expect(used['policy']! + used['role']!).toBeGreaterThanOrEqual(hardTokens)
    const soft = Object.keys(governor.fractions!).filter((section) => section !== 'policy' && section !== 'role')
    expect(soft.reduce((sum, section) => sum + max[section]!, 0)).toBe(8000 - hardTokens)
    expect(Math.abs(max['Episodes']! - (4000 * 0.12) / 0.8)).toBeLessThanOrEqual(1)
    const without = workspace({}, { items: categories('Episodes') })
    expect(Math.abs(without.max['Episodes']! - (8000 * 0.12) / 0.8)).toBeLessThanOrEqual(1)
  })

  it('V-037, V-067: a regime holds from the tick in which it changes, on top of the phase, and is told once', () => {
    const phase = { lifecyclePhase: 'Conservation' }
    const calm = workspace({ ...phase, regime: 'Calm' })
    const volatile = workspace({ ...phase, regime: 'Volatile' }, { ledger: calm.ledger })
    expect(volatile.max['DefiSnapshot']! / calm.max['DefiSnapshot']!).toBeCloseTo(0.1 / 0.93 / (0.08 / 0.89), 1)
    expect(volatile.max['DreamHypotheses']).toBe(0)
    const told = volatile.events.filter(({ type }) => type === 'context:regime-override')
    expect(told).toEqual([
      {
        type: 'context:regime-override',
        previousRegime: 'Calm',
        newRegime: 'Volatile',
        allocationsApplied: expect.objectContaining({ Mortality: expect.any(Number) }) as object,
      },
    ])
    const after = workspace({ ...phase, regime: 'Volatile' }, { ledger: volatile.ledger })
    expect([...calm.events, ...after.events].filter(({ type }) => type === 'context:regime-override')).toEqual([])
    const gone = workspace(phase, { ledger: after.ledger })
    expect(gone.events).toContainEqual(expect.objectContaining({ previousRegime: 'Volatile', newRegime: null }))
  })

  it('X-29: the floor for contrary content is above its share, and the others give way', () => {
    const sad = { affect: { pleasure: -0.1, arousal: 0, dominance: 0 }, regime: 'BearHighVol' }
    const items = categories('Contrarian', 'Episodes').map((item) => ({ ...item, text: words(item.id, 60) }))
    const floored = workspace(sad, { items })
    expect(floored.max['Contrarian']).toBeGreaterThanOrEqual(200)
    expect(floored.used['Contrarian']).toBeGreaterThanOrEqual(100)
    const plain = workspace({ regime: 'BearHighVol' }, { items })
    expect(plain.max['Contrarian']).toBeLessThan(200)
    expect(floored.used['Contrarian']).toBeGreaterThan(plain.used['Contrarian']!)
    const soft = Object.keys(governor.fractions!).filter((section) => section !== 'policy' && section !== 'role')
    expect(soft.reduce((sum, section) => sum + floored.max[section]!, 0)).toBe(8000)
  })

  it('the receipt names the situation, the overrides that held, version and revision, and can be made again', () => {
    const policy: Policy = { ...governor, revision: 7 }
    const { input, manifest } = workspace(
      { lifecyclePhase: 'Declining', regime: 'Volatile' },
      { policy, taskClass: 'Swap' },
    )
    expect(manifest).toMatchObject({
      policyId: 'governor',
      policyVersion: '1.0.0',
      policyRevision: 7,
      situation: { lifecyclePhase: 'Declining', regime: 'Volatile', taskClass: 'Swap' },
      overrides: ['lifecyclePhase Declining', 'regime Volatile'],
    })
    const compile = (again: CompileInput) => newCompiler().compile(again)
    expect(verifyManifest({ input, manifest, compile }).verified).toBe(true)
    const other = { ...input, situation: { ...input.situation, regime: 'Calm' } }
    expect(verifyManifest({ input: other, manifest, compile }).verified).toBe(false)
  })

  it('a policy without overrides compiles to the same, whatever the situation is called', () => {
    const plain = workspace({}, { policy: careful, items: [] })
    const named = workspace({ tenant: 'acme', regime: 'x' }, { policy: careful, items: [] })
    expect(named.pack).toEqual(plain.pack)
  })
})

describe('overrides of what a plain policy says', () => {
  const item = (index: number): Item => ({
    id: `e${index}`,
    section: 'evidence',
    kind: 'opaque',
    text: words(`e${index}x`, 50),
    provenance: { sourceId: 's' },
    scores: { relevance: index / 10 },
  })
  const items = Array.from({ length: 10 }, (_, index) => item(index))
  const policy: Policy = {
    ...careful,
    overrides: {
      taskClass: { review: { floors: { relevance: 0.5 } }, strict: { overflow: 'fail-loud' } },
      tenant: { acme: { shares: [{ section: 'evidence', max: 0 }] } },
      agentPhase: { executing: { sections: [{ section: 'evidence', maxItems: 2 }] } },
    },
  }
  const compiled = (changes: Partial<CompileInput>) =>
    compiler.compile({
      items,
      policy,
      layout: 'payload',
      frame: { request: 'Go on.' },
      budget: { windowTokens: 4000 },
      ...changes,
    })
  const shown = (changes: Partial<CompileInput>) =>
    compiled(changes).manifest.sections.find(({ section }) => section === 'evidence')!.included

  it('V-015, X-12: floors by task class, a section taken away by tenant, a number of items by phase', () => {
    expect(shown({})).toBe(10)
    expect(shown({ taskClass: 'review' })).toBe(5)
    expect(shown({ situation: { taskClass: 'review' } })).toBe(5)
    expect(shown({ situation: { tenant: 'acme' } })).toBe(0)
    expect(shown({ situation: { tenant: 'other' } })).toBe(10)
    expect(shown({ situation: { agentPhase: 'executing' } })).toBe(2)
  })

  it('P-036: an overflow of its own', () => {
    expect(compiled({ taskClass: 'strict' }).manifest.overflow).toBe('fail-loud')
    const tight = { budget: { windowTokens: 300 } }
    expect(compiled({ ...tight, taskClass: 'strict' }).outcome.kind).not.toBe('ok')
    expect(compiled(tight).outcome.kind).toBe('ok')
  })

  it('fractions bound what is collected for a conversation, and neither its tools nor its instructions', () => {
    const talk: readonly Item[] = [
      { id: 's', section: 'policy', kind: 'instruction', role: 'system', text: words('s', 300) },
      { id: 't', section: 'tools', kind: 'tool-schema', text: words('t', 300), toolName: 't' },
      { id: 'u', section: 'history', kind: 'text', role: 'user', text: 'Go on.' },
    ]
    const fractions = { tools: 0.05, policy: 0.05, evidence: 0.1, history: 0.8 }
    const { outcome, manifest } = compiled({
      items: [...talk, ...items],
      layout: 'messages',
      policy: { ...careful, fractions },
      budget: { windowTokens: 2000 },
    })
    const of = Object.fromEntries(manifest.sections.map((section) => [section.section, section]))
    expect(outcome.kind).toBe('ok')
    expect([of['tools']!.included, of['policy']!.included]).toEqual([1, 1])
    expect(of['evidence']!.max).toBeLessThan(200)
    expect(of['evidence']!.usedTokens).toBeLessThanOrEqual(of['evidence']!.max)
    expect(of['evidence']!.included).toBeGreaterThan(0)
  })

  it('C-003: where the policy has phases and the host names none, what the conversation shows of it holds', () => {
    const call: Item = {
      id: 'c',
      section: 'history',
      kind: 'tool-call',
      role: 'assistant',
      toolName: 'edit_file',
      text: '{"path":"a.ts"}',
    }
    const { manifest } = compiled({ items: [...items, call] })
    expect(manifest.situation).toEqual({ agentPhase: 'executing' })
    expect(manifest.overrides).toEqual(['agentPhase executing'])
    const named = compiled({ items: [...items, call], situation: { agentPhase: 'planning' } })
    expect(named.manifest.overrides).toBeUndefined()
    expect(compiled({ items: [...items, call], policy: careful }).manifest.situation).toBeUndefined()
  })

  it.each<[string, Situation, string]>([
    ['a name that is none', { regime: '' }, 'situation.regime'],
    ['a feeling out of range', { affect: { pleasure: 2, arousal: 0, dominance: 0 } }, 'situation.affect.pleasure'],
    ['no number', { affect: { pleasure: Number.NaN, arousal: 0, dominance: 0 } }, 'situation.affect.pleasure'],
  ])('refuses %s', (_, situation, field) => {
    expect(() => compiled({ situation })).toThrow(field)
  })
})
