import { describe, expect, it } from 'vitest'
import { compileStages } from '../../core/index.ts'
import type { CompileInput, Item } from '../../core/index.ts'
import { compile, input, itemOf, words } from '../compile-input.fixture.ts'
import { detectPhase } from '../policy/detect-phase.ts'
import { agentPhasesPolicy } from '../policy/presets.ts'
import { careful } from '../policy/profiles.ts'

const tool = itemOf(
  'tools',
  'tool',
  JSON.stringify({
    name: 'find',
    description: 'Finds files.',
    input_schema: { type: 'object', properties: { path: { type: 'string', description: words(150, 'path') } } },
  }),
  { kind: 'tool-schema', toolName: 'find' },
)

const rounds: readonly Item[] = Array.from({ length: 8 }, (_, at) => [
  itemOf('history', `u${at}`, words(30, `u${at}x`), { role: 'user' }),
  itemOf('history', `c${at}`, '{}', { kind: 'tool-call', role: 'assistant', group: `g${at}`, toolName: 'find' }),
  itemOf('history', `r${at}`, words(120, `r${at}x`), {
    kind: 'tool-result',
    role: 'tool',
    group: `g${at}`,
    toolName: 'find',
  }),
  itemOf('history', `a${at}`, words(30, `a${at}x`), { role: 'assistant' }),
]).flat()

const items: readonly Item[] = [tool, ...rounds]
const order = ['mask', 'schemas', 'compress-history', 'drop-history'] as const

const given = (windowTokens: number, changes: Partial<CompileInput> = {}): CompileInput =>
  input({
    items,
    layout: 'payload',
    policy: { ...careful, relief: order },
    budget: { windowTokens },
    rehydration: true,
    handleKey: 'key',
    ...changes,
  })

describe('C-002: the order of what is done', () => {
  it('the phase comes before the budget: what it is decides what sections are granted', () => {
    const ofPhase = (agentPhase: string) =>
      compile(given(4_000, { policy: agentPhasesPolicy, situation: { agentPhase } })).manifest.sections.map(
        ({ section, max }) => `${section} ${max}`,
      )
    expect(['planning', 'executing', 'reviewing']).toContain(detectPhase({ items }))
    expect(ofPhase('planning')).not.toEqual(ofPhase('executing'))
  })

  it('the budget comes before masking, schemas and conversation, and these in this order; all before the request is written, once', () => {
    const steps = new Set<string>()
    for (let window = 3_000; window >= 700; window -= 50) {
      const { manifest, pack } = compile(given(window))
      const taken = manifest.relief?.steps.map(({ step }) => step) ?? []
      const places = taken.map((step) => (order as readonly string[]).indexOf(step))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      for (const step of taken) steps.add(step)
      if (pack === undefined) continue
      const { stages = [] } = manifest
      expect(stages.map(({ stage }) => stage)).toEqual(['collect', ...compileStages])
      const by = Object.fromEntries(stages.map((record) => [record.stage, record]))
      expect([window, by['assemble']?.runs, by['assemble']?.tokens]).toEqual([window, undefined, pack.tokens])
    }
    expect([...steps]).toEqual(expect.arrayContaining(['mask', 'schemas']))
  })
})
