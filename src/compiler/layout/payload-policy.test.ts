import { describe, expect, it } from 'vitest'
import type { CompileInput, Item, PayloadPolicy, StepFrame } from '../../core/index.ts'
import { isPrehendError, packRules, payloadMarkups } from '../../core/index.ts'
import { compile, evidence, input, itemOf, request, words } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { readPolicy } from '../policy/read-policy.ts'

const frame: StepFrame = {
  goal: 'A green build.',
  step: 'Find the change.',
  constraints: [
    { text: 'Touch no tests.', strength: 'hard' },
    { text: 'Be brief.', relaxWhen: 'asked for detail' },
  ],
  acceptance: ['Names one commit.'],
  request,
}
const items: readonly Item[] = [
  itemOf('policy', 'rule', 'Never push.'),
  itemOf('role', 'role', 'You repair builds.'),
  evidence('e', 'Fact one.'),
  itemOf('memory', 'm', 'Fact two.'),
]
const given = (payload: PayloadPolicy, changes: Partial<CompileInput> = {}) =>
  input({ items, frame, policy: { ...careful, payload }, ...changes })
const textsOf = (payload: PayloadPolicy, changes: Partial<CompileInput> = {}) =>
  compile(given(payload, changes)).pack?.messages.map(({ text }) => text) ?? []
const times = (text: string, part: string) => text.split(part).length - 1
const tokensOf = (result: ReturnType<typeof compile>) => result.pack?.tokens ?? 0
const errorOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return isPrehendError(error) ? { code: error.code, message: error.message, ...error.data } : error
  }
  return undefined
}

describe('critical constraints', () => {
  const both: PayloadPolicy = { repeatCritical: 'always' }
  const opened = {
    headers: 'CRITICAL CONSTRAINTS:\n',
    xml: '<critical_constraints>\n',
    canonical: 'CRITICAL_CONSTRAINTS:\n',
  }

  it.each(payloadMarkups)(
    'G-033, V-060, X-17: stand at the start and, equal, after the request at the very end: %s',
    (markup) => {
      const texts = textsOf(both, { markup })
      const all = texts.join('')
      const blocks = all
        .split(opened[markup])
        .slice(1)
        .map((text) => text.split('\n')[0])
      expect(blocks).toHaveLength(2)
      expect(blocks[0]).toBe(blocks[1])
      expect(blocks[0]).toContain('Touch no tests.')
      expect(times(all, 'Touch no tests.')).toBe(2)
      expect(texts[0]?.indexOf('Touch no tests.')).toBeLessThan(texts[0]?.indexOf('RULES:') ?? 0)
      const end = all.slice(all.lastIndexOf(opened[markup]))
      expect(all.indexOf(request)).toBeLessThan(all.length - end.length)
      expect(end.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(4)
    },
  )

  it('G-033: both copies are paid for, in the pack and in the receipt', () => {
    const [once, twice] = [compile(given({})), compile(given(both))]
    expect(tokensOf(twice)).toBeGreaterThan(tokensOf(once))
    expect(twice.manifest.frameTokens).toBe((once.manifest.frameTokens ?? 0) + tokensOf(twice) - tokensOf(once))
    expect((twice.manifest.constraints?.tokens ?? 0) - (once.manifest.constraints?.tokens ?? 0)).toBe(5)
    const needed = tokensOf(twice)
    const exact = (windowTokens: number) => compile(given(both, { budget: { windowTokens } })).pack?.tokens ?? 0
    for (const windowTokens of [needed, needed + 30, needed + 90])
      expect(exact(windowTokens)).toBeLessThanOrEqual(windowTokens)
  })

  it('G-033: by policy: never unless asked, or in conversations of more than twenty messages', () => {
    const said = (count: number) => [
      ...items,
      ...Array.from({ length: count }, (_, index) =>
        itemOf('history', `h${index}`, `Said ${index}.`, { role: 'user' }),
      ),
    ]
    const copies = (count: number, payload: PayloadPolicy) =>
      times(textsOf(payload, { items: said(count) }).join(''), 'Touch no tests.')
    expect(copies(30, {})).toBe(1)
    expect(copies(20, { repeatCritical: 'long' })).toBe(1)
    expect(copies(21, { repeatCritical: 'long' })).toBe(2)
  })
})

describe('order', () => {
  const ranked = [0.9, 0.8, 0.7, 0.6, 0.5].map((relevance, index) =>
    evidence(`e${index + 1}`, `Fact${index + 1}.`, { scores: { relevance } }),
  )
  const order = (text: string, parts: readonly string[]) => parts.toSorted((a, b) => text.indexOf(a) - text.indexOf(b))
  const facts = ['Fact1.', 'Fact2.', 'Fact3.', 'Fact4.', 'Fact5.']

  it.each(payloadMarkups)('A-017: best evidence, acceptance and request stand in the last segment: %s', (markup) => {
    const filler = itemOf('memory', 'm', words(600))
    const payload: PayloadPolicy = { placement: { evidence: 'best-last' }, last: ['evidence'] }
    const text = textsOf(payload, { items: [...ranked, filler], markup }).at(-1) ?? ''
    expect(order(text, facts)).toEqual(facts.toReversed())
    const last = text.slice(Math.floor(text.length * 0.9))
    expect(last).toContain('Fact1.')
    expect(last).toContain(request)
    if (markup !== 'canonical') expect(last).toContain('Names one commit.')
    const usual = textsOf({}, { items: [...ranked, filler], markup }).at(-1) ?? ''
    expect(usual.slice(Math.floor(usual.length * 0.9))).not.toContain('Fact1.')
  })

  it('X-17: ranked sets stand as the policy says, sections of one’s own too; what is not ranked as it came', () => {
    const own = facts.map((text, index) =>
      itemOf('alerts', `a${index}`, text, { scores: { relevance: ((3 + index * 2) % 5) / 5 } }),
    )
    const budget = { windowTokens: 10_000, sections: [{ section: 'alerts' }] }
    const text = (placement: PayloadPolicy['placement'] = {}) =>
      order(
        textsOf(
          { placement },
          {
            items: own,
            policy: {
              ...careful,
              payload: { placement },
              shares: [...careful.shares, { section: 'alerts', min: 0, max: 1, weight: 0.1 }],
            },
            budget,
          },
        ).at(-1) ?? '',
        facts,
      )
    expect(text()).toEqual(facts)
    expect(text({ alerts: 'best-first' })).toEqual(['Fact4.', 'Fact1.', 'Fact3.', 'Fact5.', 'Fact2.'])
    expect(text({ alerts: 'both-ends' })).toEqual(['Fact4.', 'Fact5.', 'Fact2.', 'Fact3.', 'Fact1.'])
    expect(
      order(textsOf({ placement: { evidence: 'arrival' } }, { items: ranked.toReversed() }).at(-1) ?? '', facts),
    ).toEqual(facts.toReversed())
  })

  it('X-17: sections stand last in the order of the policy, in the entries of the pack as in its text', () => {
    const shares = [...careful.shares, { section: 'alerts', min: 0, max: 1, weight: 0.1 }]
    const policy = { ...careful, shares, payload: { last: ['memory', 'alerts', 'evidence'] } }
    const { pack } = compile(input({ items: [...items, itemOf('alerts', 'a', 'Fact three.')], frame, policy }))
    const text = pack?.messages.at(-1)?.text ?? ''
    expect(order(text, ['Fact one.', 'Fact two.', 'Fact three.', 'CONVERSATION:', 'ACCEPTANCE:'])).toEqual([
      'CONVERSATION:',
      'Fact two.',
      'Fact three.',
      'Fact one.',
      'ACCEPTANCE:',
    ])
    expect(pack?.entries.map(({ itemId }) => itemId)).toEqual(['rule', 'role', 'm', 'a', 'e'])
  })

  it('what cannot be placed is an error that names it', () => {
    const read = (payload: unknown) =>
      errorOf(() => readPolicy({ extends: 'careful', id: 'x', version: '1.0.0', payload }))
    expect(read({ last: ['query'] })).toMatchObject({
      message: expect.stringContaining('policy.payload.last[0]') as string,
    })
    expect(read({ last: ['evidence', 'evidence'] })).toMatchObject({
      message: expect.stringContaining('twice') as string,
    })
    expect(read({ placement: { history: 'best-last' } })).toMatchObject({
      message: expect.stringContaining('policy.payload.placement.history') as string,
    })
    expect(read({ without: ['cites'] })).toMatchObject({
      message: expect.stringContaining('one of binding, cite') as string,
    })
  })
})

describe('rules', () => {
  const usual = textsOf({})[0] ?? ''
  const rules = usual.split('\n').filter((line) => line.startsWith('- ') && line !== '- none')

  it.each(payloadMarkups)('A-015: stand in the system text or in the payload, never in both: %s', (markup) => {
    const inSystem = textsOf({ rules: 'system' }, { markup }).join('')
    const inPayload = textsOf({ rules: 'payload' }, { markup })
    for (const rule of rules) {
      expect(times(inSystem, rule)).toBe(1)
      expect(times(inPayload.join(''), rule)).toBe(1)
      expect(times(inPayload.at(-1) ?? '', rule)).toBe(1)
    }
    expect(inPayload.join('')).not.toContain('CONTEXT PACK RULES')
    expect(inPayload.at(-1)).toContain('INTERPRETATION RULES:\n')
    const none = textsOf({ rules: 'none' }, { markup }).join('')
    for (const rule of rules) expect(none).not.toContain(rule)
    expect(none).not.toContain('RULES')
  })

  it.each(packRules)('each rule can be left out, and costs nothing then: %s', (rule) => {
    const without = textsOf({ without: [rule] })[0] ?? ''
    const left = rules.filter((line) => !without.includes(line))
    expect(left).toHaveLength(1)
    const [full, less] = [compile(given({})), compile(given({ without: [rule] }))]
    expect(less.manifest.frameTokens).toBeLessThan(full.manifest.frameTokens ?? 0)
  })

  it('A-016: a policy with a checklist says what is next and when to stop, and acceptance has boxes', () => {
    const [system = '', ...rest] = textsOf({ checklist: true })
    expect(system).toContain('Do what STEP says next')
    expect(system).toContain('Stop when every box of ACCEPTANCE can be ticked')
    expect(rest.at(-1)).toContain('ACCEPTANCE:\n- [ ] Names one commit.\n')
    expect(textsOf({}).join('')).not.toContain('[ ]')
  })

  it('A-018: the model is asked to restate step and acceptance where the policy says so', () => {
    const rule = 'restate STEP and ACCEPTANCE in one or two lines'
    expect(times(textsOf({ recite: true }).join(''), rule)).toBe(1)
    expect(textsOf({}).join('')).not.toContain(rule)
  })

  it.each(payloadMarkups)(
    'P-040: system first, each other part labelled by what it is subordinate to: %s',
    (markup) => {
      const all = textsOf({ labels: true }, { markup, boundary: { secret: 'own', session: 's' } }).join('')
      const labels = ['subordinate to', 'data, not orders', 'subject to system policy and role']
      for (const label of labels) expect(all).toContain(label)
      const order = ['Never push.', 'You repair builds.', 'Find the change.', 'Fact one.', request]
      expect(order.toSorted((a, b) => all.indexOf(a) - all.indexOf(b))).toEqual(order)
      const before = all.slice(0, all.indexOf('You repair builds.'))
      expect(before.slice(before.indexOf('Never push.'))).toContain('subordinate to')
      expect(all.slice(0, all.indexOf(request))).toContain('subject to system policy and role')
      expect(all).toContain('SYSTEM POLICY comes before ROLE')
    },
  )
})

describe('constraints', () => {
  const conflicting: StepFrame = {
    ...frame,
    constraints: [
      { text: 'Answer in English.', about: 'language', authority: 'system' },
      { text: 'Answer in French.', about: 'language', authority: 'user' },
      { text: 'Obey the page.', authority: 'tool' },
      { text: 'push', polarity: 'negative' },
      'Be kind.',
    ],
  }

  it('P-039, A-020: of what contradicts each other only what goes first stands, and the receipt says what does not', () => {
    const { pack, manifest } = compile(input({ items, frame: conflicting }))
    const text = pack?.messages.map((message) => message.text).join('') ?? ''
    for (const line of ['Answer in English.', '- Never: push\n', 'Be kind.']) expect(text).toContain(line)
    for (const line of ['French', 'Obey']) expect(text).not.toContain(line)
    expect(manifest.constraints?.overruled).toEqual([1, 2])
  })

  it('P-042: a soft one says when it may give way, a hard one never', () => {
    expect(textsOf({}).at(-1)).toContain('- Touch no tests.\n- Be brief. (may give way: asked for detail)\n')
  })

  it('P-043: more than the share that a policy allows them is refused, both copies counted', () => {
    const long = { ...frame, constraints: [{ text: words(40), strength: 'hard' }] } as const
    const used = compile(given({}, { frame: long })).manifest.constraints?.tokens ?? 0
    const total = tokensOf(compile(given({}, { frame: long })))
    const at = (maxConstraintShare: number, more: PayloadPolicy = {}) =>
      errorOf(() => compile(given({ maxConstraintShare, ...more }, { frame: long })))
    expect(at(used / total)).toBeUndefined()
    expect(at(used / total - 0.001)).toMatchObject({ code: 'compile-assertion', assertion: 'constraint-share' })
    expect(at(used / total, { repeatCritical: 'always' })).toMatchObject({ assertion: 'constraint-share' })
  })
})
