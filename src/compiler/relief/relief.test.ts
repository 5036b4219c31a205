import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompileResult, Item, ReliefPolicy, ReliefProfile } from '../../core/index.ts'
import { layouts, reliefProfiles, reliefSteps, reliefStepsOf } from '../../core/index.ts'
import { evidence, itemOf, words } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { lines, mixed, packed, rounds, rungsOf, stepsOf, tool, turns } from './relief-items.fixture.ts'

const { compress, evict } = careful.pressure
const spoken = [...turns(6), ...mixed]
const profiles = Object.keys(reliefProfiles) as readonly ReliefProfile[]

describe('proactive relief', () => {
  it.each([
    { layout: 'payload', windowTokens: 8_400, steps: 0 },
    { layout: 'payload', windowTokens: 7_700, steps: 1 },
    { layout: 'payload', windowTokens: 6_500, steps: 2 },
    { layout: 'payload', windowTokens: 5_600, steps: 3 },
    { layout: 'payload', windowTokens: 4_000, steps: 4 },
    { layout: 'messages', windowTokens: 8_000, steps: 0 },
    { layout: 'messages', windowTokens: 6_000, steps: 1 },
    { layout: 'messages', windowTokens: 5_200, steps: 2 },
    { layout: 'messages', windowTokens: 4_700, steps: 3 },
    { layout: 'messages', windowTokens: 3_600, steps: 4 },
  ] as const)('C-019: of $layout in $windowTokens tokens ends after $steps of its four steps', (given) => {
    const { steps, ...window } = given
    const result = packed({ relief: 'proactive', items: spoken, ...window })
    expect(stepsOf(result)).toEqual(['schemas', 'mask', 'dedupe', 'episodes'].slice(0, steps))
    expect(result.outcome.kind).toBe('ok')
    expect(result.manifest.relief).toMatchObject({ profile: 'proactive', enough: true })
    expect(result.manifest.utilisation).toBeLessThanOrEqual(compress)
    // One step less would not have been enough.
    for (const { tokensBefore } of result.manifest.relief?.steps ?? [])
      expect(tokensBefore).toBeGreaterThan(compress * 0.9 * window.windowTokens)
  })

  it('C-019: its last step leaves the last three episodes alone', () => {
    const result = packed({ relief: ['episodes'], items: rounds(8), windowTokens: 1_500 })
    const rungs = rungsOf(result)
    expect(['r7', 'r6', 'r5', 'c7', 'c6', 'c5'].map((id) => rungs[id])).toEqual(Array(6).fill('full'))
    expect(['r4', 'r0', 'c4', 'c0'].map((id) => rungs[id])).toEqual(Array(4).fill('omitted'))
  })

  it.each([
    ['cascade-compress', 'ok'],
    ['fail-loud', 'budget-exhausted'],
    ['defer-retrieval', 'retrieval-pending'],
    ['paginate', 'ok'],
    ['truncate-lowest', 'ok'],
  ] as const)('B-42, C-019: where all four are not enough, %s says what happens', (overflow, outcome) => {
    const result = packed({
      relief: 'proactive',
      items: spoken,
      windowTokens: 1_700,
      policy: { ...careful, overflow },
    })
    expect(stepsOf(result)).toEqual(
      ['schemas', 'mask', 'dedupe', 'episodes'].filter((step) => overflow !== 'fail-loud' || step !== 'episodes'),
    )
    expect(result.manifest).toMatchObject({ overflow, outcome, relief: { enough: false } })
  })
})

describe('the order of steps', () => {
  it('X-08, A-032: is the policy’s own, and each step goes only as far as needed', () => {
    const one = packed({ relief: ['mask', 'schemas'], items: spoken, windowTokens: 8_000 })
    const other = packed({ relief: ['schemas', 'mask'], items: spoken, windowTokens: 8_000 })
    expect([stepsOf(one), stepsOf(other)]).toEqual([['mask'], ['schemas']])
    const masked = one.manifest.decisions.filter(({ rung }) => rung !== 'full')
    expect(masked.map(({ itemId, reason }) => [itemId, reason])).toEqual([['r0', 'pressure']])
    const told = one.events.flatMap((event) => (event.type === 'context:truncated' ? [event.event] : []))
    expect(told).toMatchObject([{ section: 'history', reason: 'pressure', rung: 'trimmed', itemIds: ['r0'] }])
  })

  it.each(layouts)(
    'X-08: the ladder in %s goes from what loses nothing to eviction, and then to overflow',
    (layout) => {
      const seen = new Set<string>()
      for (let windowTokens = 8_000; windowTokens > 300; windowTokens -= 350) {
        const { manifest } = packed({ relief: 'ladder', items: withLooseEnds, layout, windowTokens })
        for (const { step, section } of manifest.relief?.steps ?? []) if (section === undefined) seen.add(step)
      }
      // In a conversation definitions have lost their loose ends as they came.
      const ofMessages = layout === 'messages' ? ['lossless', 'evict'] : []
      const own = ['tool-examples', 'step-notes', ...ofMessages]
      const ladder = reliefProfiles.ladder.filter((step) => !own.includes(step))
      expect(reliefProfiles.ladder.filter((step) => seen.has(step))).toEqual(expect.arrayContaining([...ladder]))
    },
  )

  it('A-028, A-053: a step’s pack compresses memory, evidence, examples and notes, and then leaves out memory, evidence, conversation', () => {
    const items = [
      ...rounds(5),
      withExamples,
      ...mixed.filter(({ section }) => section !== 'history' && section !== 'tools'),
    ]
    const results = [3_700, 3_200, 2_800, 2_200].map((windowTokens) =>
      packed({ relief: 'step-pack', items, windowTokens, frame: noted }),
    )
    expect(results.map(stepsOf)).toEqual(
      [1, 4, 5, 7].map((count) => expect.arrayContaining(reliefProfiles['step-pack'].slice(0, count)) as unknown),
    )
    for (const result of results) {
      const places = stepsOf(result).map((step) => (reliefProfiles['step-pack'] as readonly string[]).indexOf(step))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    }
  })

  it('A-028: what is chosen first stays longest: criteria and step, evidence of the criteria, what scores highest', () => {
    const telling = evidence('telling', `The cause is named together with its file here. ${words(92, 'told')}`)
    const items = [
      evidence('other', words(100, 'other'), { scores: { relevance: 0.9 } }),
      telling,
      itemOf('memory', 'low', words(100, 'low'), { scores: { relevance: 0.1 } }),
      itemOf('memory', 'high', words(100, 'high'), { scores: { relevance: 0.9 } }),
      ...turns(2),
    ]
    const seen: string[] = []
    for (let windowTokens = 1_700; windowTokens > 350; windowTokens -= 25) {
      const { manifest, pack } = packed({ relief: 'step-pack', items, windowTokens, frame: { ...noted, state: brief } })
      if (manifest.relief?.enough !== true) break
      for (const { itemId, rung } of manifest.decisions)
        if (rung === 'omitted' && !seen.includes(itemId)) seen.push(itemId)
      for (const part of [noted.step, ...noted.acceptance]) expect(pack?.messages.at(-1)?.text).toContain(part)
    }
    expect(seen).toEqual(['low', 'high', 'other', 'telling', 'u0', 'a0', 'u1', 'a1'])
  })

  it('B-53: eviction that is not enough leaves the rest to overflow', () => {
    const items = [tool('alpha'), tool('beta'), itemOf('memory', 'm', words(50, 'm'))]
    const given = { relief: ['evict'], items, windowTokens: 800 } as const
    const { outcome, manifest } = packed(given)
    expect([outcome.kind, manifest.relief]).toMatchObject(['ok', { enough: false, steps: [{ step: 'evict' }] }])
    expect(rungsOf({ manifest } as CompileResult)).toMatchObject({ alpha: 'trimmed', beta: 'trimmed' })
    const loud = packed({ ...given, policy: { ...careful, overflow: 'fail-loud' } })
    expect(loud.outcome.kind).toBe('budget-exhausted')
  })

  it('P-059, B-61: an item is pruned, then compressed, and left out only where both were not enough', () => {
    const seen = new Set<string>()
    for (let windowTokens = 6_000; windowTokens >= 400; windowTokens -= 300) {
      const result = packed({ relief: 'prune-compress-evict', windowTokens })
      const steps = (result.manifest.relief?.steps ?? []).filter(({ section }) => section === undefined)
      seen.add(steps.map(({ step }) => step).join(' '))
      if (!steps.some(({ step }) => step === 'evict')) continue
      const whole = result.manifest.decisions.filter(
        ({ section, rung, originalTokens }) => section === 'memory' && rung === 'full' && originalTokens > 60,
      )
      expect(whole).toEqual([])
    }
    expect([...seen]).toEqual(expect.arrayContaining(['', 'prune', 'prune compress', 'prune compress evict']))
  })

  it('X-18: tool results become one line that says how they ended, dialogue an extract; a failure among the newest stays', () => {
    const failing = { ...rounds(6)[5], text: `Error: no such file\n${lines(30, 'bad')}`, status: 'error' } as Item
    const items = [...turns(3), ...rounds(2), failing, ...rounds(8).slice(6)]
    const { pack, manifest } = packed({ relief: ['mask', 'compress-history'], items, windowTokens: 3_000 })
    const shown = (id: string): string => pack?.entries.find(({ itemId }) => itemId === id)?.text ?? ''
    expect(shown('r0')).toMatch(/^\[.*\bok\b.*rehydrate/)
    expect(shown('r2')).toBe(failing.text)
    expect(rungsOf({ manifest } as CompileResult)['a0']).toBe('trimmed')
  })
})

const withExamples = tool('looker', `Looks things up.\n\nExamples:\n${lines(20, 'ex')}\n\nReturns a list.`)
const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', required: [] }
const withLooseEnds = [
  ...spoken,
  { ...tool('gamma'), text: JSON.stringify({ name: 'gamma', description: 'Waits.', input_schema: schema }) },
]
const noted = {
  goal: 'Ship it.',
  step: 'Find what broke.',
  acceptance: ['The cause is named with its file.'],
  constraints: ['Touch nothing.'],
  request: 'Which change broke it?',
  state: {
    objective: 'Ship it.',
    phase: 'act',
    results: Array.from({ length: 9 }, (_, at) => words(30, `note${at}n`)),
  },
} as const

const brief = { objective: 'Ship it.', phase: 'act' } as const

describe('what is never cut', () => {
  it('B-62: examples of tools and notes on the way may be, schemas, acceptance, constraints and system text may not', () => {
    const items = [itemOf('policy', 'p', 'Never delete anything.'), withExamples]
    const full = packed({ relief: [], items, windowTokens: 4_000, frame: noted })
    const windowTokens = Math.ceil(((full.pack?.tokens ?? 0) - 300) / 0.9 / compress)
    const { pack, manifest } = packed({ relief: ['tool-examples', 'step-notes'], items, windowTokens, frame: noted })
    expect(manifest.relief?.steps.map(({ step }) => step)).toEqual(['tool-examples', 'step-notes'])
    const definition = JSON.parse(pack?.entries.find(({ itemId }) => itemId === 'looker')?.text ?? '')
    expect(definition.input_schema).toEqual(JSON.parse(withExamples.text).input_schema)
    const [handle] = manifest.decisions.flatMap((decision) => decision.handle ?? [])
    const note = `[examples left out: rehydrate("${handle}")]`
    expect(definition.description).toBe(`Looks things up.\n\nReturns a list.\n${note}`)
    const text = pack?.messages.map((message) => message.text).join('\n') ?? ''
    for (const part of [...noted.acceptance, ...noted.constraints, noted.step, noted.goal, noted.request])
      expect(text).toContain(part)
    expect(text).toContain('Never delete anything.')
    expect(text).toContain(words(20, 'note8n'))
    expect(text).not.toContain(words(2, 'note0n'))
    expect(text).toContain('(6 earlier not shown)')
  })

  it.each(profiles)(
    'A-031, P-010: %s leaves out no tool, instruction or task, and refuses before it would',
    (relief) => {
      let refused = 0
      for (let windowTokens = 3_000; windowTokens > 100; windowTokens -= 200) {
        const { outcome, manifest } = packed({ relief, windowTokens, frame: noted })
        if (outcome.kind === 'budget-exhausted' || outcome.kind === 'split-required') refused += 1
        else
          for (const { section, rung } of manifest.decisions)
            if (section === 'tools' || section === 'policy') expect(rung).not.toBe('omitted')
      }
      expect(refused).toBeGreaterThan(0)
    },
  )
})

describe('the order in which items go', () => {
  const fetched = (id: string, birthTurn: number, text: string): Item => evidence(id, text, { birthTurn })
  const table: readonly {
    readonly relief: ReliefPolicy
    readonly items: readonly Item[]
    readonly order: readonly string[]
  }[] = [
    {
      relief: ['drop-memory'],
      items: [0.5, 0.1, 0.9, 0.3].map((relevance) =>
        itemOf('memory', `m${relevance}`, words(100, `m${relevance * 10}n`), { scores: { relevance } }),
      ),
      order: ['m0.1', 'm0.3', 'm0.5', 'm0.9'],
    },
    {
      relief: ['drop-evidence'],
      items: [
        fetched('new', 3, words(100, 'new')),
        fetched('old and telling', 1, `The cause is named together with its file here. ${words(92, 'told')}`),
        fetched('old', 1, words(100, 'old')),
        fetched('newer', 4, words(100, 'newer')),
      ],
      order: ['old', 'new', 'newer', 'old and telling'],
    },
    {
      relief: ['drop-history'],
      items: ['a', 'b', 'c', 'd'].map((id) => itemOf('history', id, words(100, id), { role: 'assistant' })),
      order: ['a', 'b', 'c', 'd'],
    },
    {
      relief: ['evict'],
      items: [
        evidence('e dear', words(120, 'e'), { scores: { relevance: 0.2 } }),
        evidence('e cheap', words(30, 'f'), { scores: { relevance: 0.1 } }),
        itemOf('history', 'h', words(50, 'h'), { role: 'assistant' }),
        itemOf('memory', 'm cheap', words(20, 'm'), { scores: { relevance: 0.1 } }),
        itemOf('memory', 'm dear', words(150, 'n'), { scores: { relevance: 0.6 } }),
      ],
      order: ['m dear', 'm cheap', 'e dear', 'e cheap', 'h'],
    },
  ]

  it.each(table)('A-031, A-028, X-08: $relief', ({ relief, items, order }) => {
    const gone: string[] = []
    for (let windowTokens = 1_200; windowTokens > 250; windowTokens -= 10) {
      const { manifest } = packed({ relief, items, windowTokens, frame: { ...noted, state: undefined } as never })
      if (manifest.relief?.enough !== true) break
      const now = manifest.decisions.filter(({ rung }) => rung === 'omitted').map(({ itemId }) => itemId)
      expect(now).toEqual(expect.arrayContaining(gone))
      gone.push(...now.filter((id) => !gone.includes(id)))
    }
    expect(gone).toEqual(order)
  })
})

describe('relief of any kind', () => {
  it.each(layouts)('B-61, A-053: of %s ends, and every step that it takes lowers the tokens', (layout) => {
    const seen = { relieved: 0, failed: 0, idle: 0 }
    const some = fc.record({
      kind: fc.constantFrom('round', 'turn', 'evidence', 'memory', 'tool'),
      size: fc.integer({ min: 1, max: 40 }),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      grouped: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(some, { minLength: 1, maxLength: 14 }),
        fc.integer({ min: 120, max: 4_000 }),
        fc.oneof(fc.constantFrom(...profiles), fc.shuffledSubarray([...reliefSteps])),
        (made, windowTokens, relief) => {
          const items = made.flatMap(itemsFrom)
          const { manifest, pack, budget } = packed({ relief, items, layout, windowTokens })
          const steps = manifest.relief?.steps ?? []
          for (const { tokensBefore, tokensAfter } of steps) expect(tokensAfter).toBeLessThan(tokensBefore)
          for (const [at, { tokensBefore }] of steps.entries())
            if (at > 0) expect(tokensBefore).toBe(steps[at - 1]?.tokensAfter)
          const places = steps
            .filter(({ section }) => section === undefined)
            .map(({ step }) => (reliefStepsOf(relief) ?? []).indexOf(step))
          expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b))
          expect(pack?.tokens ?? 0).toBeLessThanOrEqual(budget.windowTokens - budget.reserveTokens)
          if (manifest.relief?.enough === true && pack !== undefined && steps.length > 0) {
            expect(pack.tokens).toBeLessThanOrEqual(steps.at(-1)?.tokensAfter ?? 0)
            seen.relieved += 1
          } else seen[manifest.relief?.enough === true ? 'idle' : 'failed'] += 1
        },
      ),
      { numRuns: 150 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5)
  })

  function itemsFrom(
    { kind, size, score, grouped }: { kind: string; size: number; score: number; grouped: boolean },
    at: number,
  ): readonly Item[] {
    const about = { scores: { relevance: score }, ...(grouped && { group: `x${at % 3}` }) }
    if (kind === 'round')
      return rounds(1, { group: `round${at}`, toolCallId: `call${at}` }).map((item) => ({
        ...item,
        id: `${item.id}at${at}`,
      }))
    if (kind === 'turn')
      return [itemOf('history', `t${at}`, lines(size, `t${at}`), { role: at % 2 === 0 ? 'user' : 'assistant' })]
    if (kind === 'evidence') return [evidence(`e${at}`, lines(size, `e${at % 5}`), about)]
    if (kind === 'memory') return [itemOf('memory', `m${at}`, lines(size, `e${at % 5}`), about)]
    return [tool(`tool${at}`)]
  }

  it('where there is room the pack is that of a policy without steps, to the byte', () => {
    for (const relief of profiles)
      for (const layout of layouts) {
        const { pack, manifest } = packed({ relief, layout, windowTokens: 20_000 })
        expect(manifest.relief).toEqual({ profile: relief, steps: [], enough: true })
        expect(pack?.hash).toBe(packed({ relief: undefined as never, layout, windowTokens: 20_000 }).pack?.hash)
      }
  })

  it('X-07, N-20: what asks for more than there is ends in the band that the policy names', () => {
    const items = [...rounds(3), ...Array.from({ length: 60 }, (_, at) => evidence(`e${at}`, lines(4, `e${at}`)))]
    for (const layout of layouts)
      for (let windowTokens = 1_600; windowTokens < 2_800; windowTokens += 150) {
        const band = { prepare: 0.85, compress: 0.95, evict: 0.95 }
        const { manifest } = packed({
          relief: 'ladder',
          items,
          layout,
          windowTokens,
          policy: { ...careful, pressure: band },
        })
        expect(manifest.originalTokens).toBeGreaterThan(windowTokens)
        expect(manifest.utilisation).toBeLessThanOrEqual(evict)
        expect(manifest.utilisation).toBeGreaterThanOrEqual(0.85)
      }
  })
})
