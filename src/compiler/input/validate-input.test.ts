import { describe, expect, it } from 'vitest'
import type { CompileInput } from '../../core/index.ts'
import { isPrehendError, itemShape, mediaShape, provenanceShape, scoresShape } from '../../core/index.ts'
import { careful } from '../policy/policies.ts'
import { evidence, newCompiler, packInput } from '../word-tokens.fixture.ts'

/** The field that a compile of the input complains about. */
function fieldOf(input: unknown): string {
  try {
    newCompiler().compile(input as CompileInput)
  } catch (error) {
    if (isPrehendError(error) && 'field' in error.data) return error.data.field
    throw error
  }
  return 'nothing'
}

const valid = packInput([evidence('a', 5)], 2_000)
const item = (changes: object) => ({ ...valid, items: [{ ...evidence('a', 5), ...changes }] })
const budget = (changes: object) => ({ ...valid, budget: { windowTokens: 2_000, ...changes } })
const policy = (changes: object) => ({ ...valid, policy: { ...careful, ...changes } })
const section = (changes: object) => budget({ sections: [{ section: 'evidence', ...changes }] })

/** The ledger of a compile, as a store gives it back. */
const compiledLedger = (): object => structuredClone(newCompiler().compile({ ...valid, layout: 'messages' }).ledger)

const wrong: Readonly<Record<string, readonly unknown[]>> = {
  'input': [undefined, null, 'text', 3],
  'polcy': [{ ...valid, polcy: careful }],
  'budget.windwTokens': [budget({ windwTokens: 3 })],
  'budget.sections[0].mx': [section({ mx: 3 })],
  'frame.gaol': [{ ...valid, frame: { request: 'Go.', gaol: 'x' } }],
  'situation.taskclass': [{ ...valid, situation: { taskclass: 'x' } }],
  'items': [
    { ...valid, items: undefined },
    { ...valid, items: {} },
  ],
  'items[0]': [
    { ...valid, items: [null] },
    { ...valid, items: ['x'] },
  ],
  'items[0].id': [item({ id: '' }), item({ id: 4 })],
  'items[1].id': [{ ...valid, items: [evidence('a', 5), evidence('a', 6)] }],
  'items[0].section': [
    item({ section: undefined }),
    item({ section: '' }),
    item({ section: 'reserve' }),
    item({ section: 'evidnce' }),
  ],
  'items[0].kind': [item({ kind: 'novel' }), item({ kind: 'toString' })],
  'items[0].text': [item({ text: undefined }), item({ text: 12 })],
  'items[0].role': [item({ role: 'narrator' })],
  'items[0].tokens': [
    item({ tokens: -1 }),
    item({ tokens: 1.5 }),
    item({ tokens: 1e12 }),
    item({ tokens: Number.NaN }),
  ],
  'items[0].birthTurn': [item({ birthTurn: -3 })],
  'items[0].group': [item({ group: '' }), item({ group: ['a'] })],
  'items[0].scores.relevance': [item({ scores: { relevance: 1.01 } }), item({ scores: { relevance: Number.NaN } })],
  'items[0].scores.utility': [item({ scores: { utility: -0.1 } })],
  'items[0].media': [item({ media: 'image' })],
  'items[0].media.type': [item({ media: {} }), item({ media: { type: 'hologram' } })],
  'items[0].media.detail': [item({ media: { type: 'image', detail: 'ultra' } })],
  'items[0].media.width': [item({ media: { type: 'image', width: -1 } })],
  'items[0].media.pages': [item({ media: { type: 'document', pages: Number.NaN } })],
  'items[0].media.url': [item({ media: { type: 'image', url: 7 } })],
  'items[0].provenance': [
    item({ provenance: undefined }),
    item({ provenance: null }),
    item({ provenance: undefined, section: 'memory', kind: 'evidence' }),
  ],
  'items[0].provenance.uri': [item({ provenance: { sourceId: 's', uri: 7 } })],
  'items[0].provenance.span': [item({ provenance: { sourceId: 's', span: [1] } })],
  'items[0].toolName': [item({ toolName: 5 })],
  'items[0].trust': [item({ trust: 'blind' })],
  'items[0].frozen': [item({ frozen: 'yes' })],
  'items[0].provenance.sourceId': [item({ provenance: {} }), item({ provenance: { sourceId: '' } })],
  'items[0].provenance.authorityScore': [item({ provenance: { sourceId: 's', authorityScore: 2 } })],
  'layout': [
    { ...valid, layout: 'sideways' },
    { ...valid, layout: undefined },
  ],
  'markup': [{ ...valid, markup: 'yaml' }],
  'taskClass': [{ ...valid, taskClass: 4 }],
  'budget': [{ ...valid, budget: undefined }],
  'budget.windowTokens': [0, -1, 1.5, 1e300, Infinity, Number.NaN, '9'].map((windowTokens) => budget({ windowTokens })),
  'budget.maxOutputTokens': [budget({ maxOutputTokens: -1 })],
  'budget.overheadTokens': [budget({ overheadTokens: 0.5 })],
  'budget.sections': [budget({ sections: 'all' })],
  'budget.sections[0]': [budget({ sections: [null] })],
  'budget.sections[0].section': [budget({ sections: [{ min: 3 }] })],
  'budget.sections[1].section': [budget({ sections: [{ section: 'a' }, { section: 'a' }] })],
  'budget.sections[0].min': [section({ min: -1 }), section({ min: 9, max: 3 })],
  'budget.sections[0].max': [section({ max: Number.NaN })],
  'budget.sections[0].tier': [section({ tier: 6 })],
  'budget.sections[0].weight': [section({ weight: 2 })],
  'budget.sections[0].alpha': [section({ alpha: 0 })],
  'budget.sections[0].beta': [section({ beta: -1 })],
  'budget.sections[0].base': [section({ base: Infinity })],
  'budget.sections[0].cost': [section({ cost: -1 })],
  'policy': [{ ...valid, policy: undefined }],
  'policy.id': [policy({ id: '' })],
  'policy.shares': [
    policy({ shares: 7 }),
    policy({ reserveShare: 0.5, shares: [{ section: 'a', min: 0.6, max: 1, weight: 1 }] }),
  ],
  'policy.shares[0]': [policy({ shares: [null] })],
  'policy.shares[0].max': [policy({ shares: [{ section: 'a', min: 0, max: 2, weight: 1 }] })],
  'policy.shares[0].min': [policy({ shares: [{ section: 'a', min: 0.5, max: 0.1, weight: 1 }] })],
  'policy.overflow': [policy({ overflow: 'hope' })],
  'policy.overflowFor.chat': [policy({ overflowFor: { chat: 'hope' } })],
  'policy.requires': [policy({ requires: 'step' })],
  'policy.requires[0]': [policy({ requires: ['luck'] })],
  'policy.provenance': [policy({ provenance: 'some' })],
  'policy.reserveShare': [policy({ reserveShare: -0.1 })],
  'policy.costSensitivity': [policy({ costSensitivity: Number.NaN })],
  'policy.floors': [policy({ floors: undefined })],
  'policy.rank.thrift': [policy({ rank: { ...careful.rank, thrift: -1 } })],
  'policy.version': [policy({ version: 'latest' })],
  'policy.pressure.evict': [policy({ pressure: { prepare: 0.8, compress: 0.9 } })],
  'policy.epochs': [policy({ epochs: null })],
  'policy.epochs.lowestRung': [policy({ epochs: {} })],
  'frame': [{ ...valid, frame: null }],
  'frame.request': [{ ...valid, frame: {} }],
  'frame.step': [{ ...valid, frame: { request: '', goal: 'g', acceptance: ['a'] } }],
  'frame.limits.risk': [{ ...valid, frame: { request: '', limits: { risk: 'some' } } }],
  'frame.goal': [{ ...valid, frame: { request: '', goal: 3 } }],
  'frame.acceptance': [
    { ...valid, frame: { request: '', acceptance: 'short' } },
    { ...valid, frame: { request: '', goal: 'g', step: 's', acceptance: [] } },
  ],
  'frame.constraints[0]': [{ ...valid, frame: { request: '', constraints: [3] } }],
  'signals': [{ ...valid, signals: null }],
  'signals.risk': [{ ...valid, signals: { risk: 'extreme' } }],
  'signals.similarity': [{ ...valid, signals: { similarity: 2 } }],
  'signals.expectedToolCalls': [{ ...valid, signals: { expectedToolCalls: -1 } }],
  'ledger': [{ ...valid, ledger: null }],
  'ledger.schema': [{}, { schema: 'prehend.ledger/0', entries: [] }].map((ledger) => ({ ...valid, ledger })),
  'ledger.account': [{ ...valid, ledger: { ...compiledLedger(), account: undefined } }],
  'ledger.entries[0]': [{ ...valid, ledger: { ...compiledLedger(), entries: [null] } }],
  'ledger.entries[0].rung': [{ ...valid, ledger: { ...compiledLedger(), entries: [{ key: 'k', rung: 'top' }] } }],
  'nowMs': [
    { ...valid, nowMs: 'noon' },
    { ...valid, nowMs: Infinity },
  ],
  'prices': [{ ...valid, prices: null }],
  'prices.read': [{ ...valid, prices: { read: -1, write: 1, minTokens: 0, ttlMs: 0 } }],
  'handleKey': [{ ...valid, handleKey: 4 }],
  'rehydration': [{ ...valid, rehydration: 'maybe' }],
  'model': [{ ...valid, model: 4 }],
}

describe('validation', () => {
  it('what is not as it should be is named by its path', () => {
    const found = Object.entries(wrong).map(([field, inputs]) => [field, inputs.map(fieldOf)])
    expect(found).toEqual(Object.entries(wrong).map(([field, inputs]) => [field, inputs.map(() => field)]))
  })

  it('accepts the smallest input, lone surrogates and no items', () => {
    expect(fieldOf(valid)).toBe('nothing')
    expect(fieldOf({ ...valid, items: [] })).toBe('nothing')
    expect(fieldOf(item({ id: '\ud83d', text: 'a \udc00 b' }))).toBe('nothing')
  })

  it('a section that policy or budget name is known', () => {
    expect(
      fieldOf({ ...section({ section: 'house style' }), items: [{ ...evidence('a', 5), section: 'house style' }] }),
    ).toBe('nothing')
  })

  it('of a frozen item, what is not frozen within it is looked at again', () => {
    const compiler = newCompiler()
    const hashOf = (items: CompileInput['items']): string => compiler.compile({ ...valid, items }).manifest.inputHash
    const scores = { relevance: 0.5 }
    const one = Object.freeze({ ...evidence('a', 5), scores })
    const before = hashOf([one])
    expect(hashOf([one])).toBe(before)
    scores.relevance = 0.7
    expect(hashOf([one])).not.toBe(before)
    const whole = Object.freeze({ ...evidence('a', 5), scores: Object.freeze({ relevance: 0.5 }) })
    expect(hashOf([whole])).toBe(before)
    expect(hashOf([whole])).toBe(before)
  })

  it.each([
    ['of the usual members', { scores: { relevance: 0.5 } }],
    ['with scores that say nothing', { scores: {} }],
    ['of more members', { scores: {}, media: { type: 'image' } }],
    ['with members that say nothing yet', { pin: undefined, scores: undefined, role: undefined }],
  ])('an item that was changed in place is read again, whatever was changed: %s', (_, members) => {
    const changes = {
      section: 'memory',
      kind: 'memory',
      text: 'other',
      role: 'tool',
      authority: 'user',
      trust: 'trusted',
      birthTurn: 3,
      category: 'c',
      pin: true,
      group: 'g',
      toolName: 't',
      toolCallId: 'c',
      status: 'error',
      tokens: 9,
      frozen: true,
      citable: true,
      scope: 's',
      lasts: 'turn',
      wordWeights: 'w',
      toolNamespace: 'n',
      words: 'other',
      reasonedBy: 'm',
      links: [{ itemId: 'b', method: 'ocr' }],
    }
    const attention = { pragmatic: 0.1, epistemic: 0.2, affective: 0.3, urgency: 0.4 }
    const scores = { relevance: 0.3, authority: 0.4, freshness: 0.5, utility: 0.6, confidence: 0.7, ...attention }
    const origin = {
      sourceId: 'other',
      uri: 'u',
      title: 't',
      retrievedAt: 'now',
      authorityScore: 0.1,
      relevanceScore: 0.2,
    }
    const provenance = { ...origin, span: [1, 2], lineage: 'l' }
    const said = { method: 'ocr', text: 'w', fidelity: 0.5 }
    const sizes = { width: 1, height: 2, durationMs: 3, pages: 4, sizeBytes: 5 }
    const media = {
      type: 'audio',
      mimeType: 'm',
      ...sizes,
      detail: 'low',
      url: 'x',
      fingerprint: 'f',
      region: [0, 0, 10, 20],
      substitutes: [said],
    }
    const inner = { provenance, scores, media }
    expect(Object.keys(scores).toSorted()).toEqual([...scoresShape.names].toSorted())
    expect(Object.keys(provenance).toSorted()).toEqual([...provenanceShape.names].toSorted())
    expect(Object.keys(media).toSorted()).toEqual([...mediaShape.names].toSorted())
    expect([...Object.keys(changes), ...Object.keys(inner), 'id'].toSorted()).toEqual([...itemShape.names].toSorted())
    const hashes = (change: (item: object) => void): readonly string[] => {
      const one = { ...evidence('a', 5), ...structuredClone(members) }
      const compiler = newCompiler()
      const compiled = (used: typeof compiler): string =>
        used.compile({ ...valid, items: [one, evidence('b', 5)] } as never).manifest.inputHash
      const before = compiled(compiler)
      change(one)
      return [before, compiled(compiler), compiled(newCompiler())]
    }
    const check = (name: string, change: (item: object) => void): void => {
      const [before, after, fresh] = hashes(change)
      expect([name, after]).toEqual([name, fresh])
      expect([name, after]).not.toEqual([name, before])
    }
    for (const [name, value] of Object.entries(changes)) check(name, (one) => Object.assign(one, { [name]: value }))
    for (const [name, values] of Object.entries(inner)) {
      for (const [member, value] of Object.entries(values)) {
        check(`${name}.${member}`, (one) => {
          const whole = (one as Record<string, object>)[name]
          if (whole === undefined) Object.assign(one, { [name]: values })
          else Object.assign(whole, { [member]: value })
        })
      }
    }
  })

  it('says what to do about it', () => {
    expect(() => newCompiler().compile(budget({ windowTokens: -1 }) as CompileInput)).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ remedy: expect.stringMatching(/^Give /) }) }),
    )
  })

  it('leaves a compiler usable', () => {
    const compiler = newCompiler()
    const before = compiler.compile(valid).pack?.hash
    const twice = { ...valid, items: [...valid.items, evidence('b', 3), evidence('b', 3)] }
    expect(() => compiler.compile(twice)).toThrow('items[2].id')
    expect(compiler.compile(valid).pack?.hash).toBe(before)
    expect(compiler.compile({ ...valid, items: [...valid.items, evidence('b', 3)] }).pack?.entries).toHaveLength(2)
  })
})

describe('slips of the pen in items', () => {
  const plain = { id: 'a', section: 'memory', kind: 'memory', text: 'x' } as const
  const packed = (more: object) =>
    newCompiler().compile(packInput([{ ...plain, ...more }], 4000, { frame: { request: 'What?' } }))

  it.each([
    [{ txt: 'y' }, 'items[0].txt: is not known. Did you mean text? Correct it.'],
    [{ birth_turn: 3 }, 'items[0].birth_turn: is not known. Did you mean birthTurn? Correct it.'],
    [{ scores: { relevence: 0.5 } }, 'items[0].scores.relevence: is not known. Did you mean relevance? Correct it.'],
    [{ scores: { relevance: null } }, /scores\.relevance: is not a number from 0 to 1, but null, as JSON/],
    [{ scores: { relevance: '0.5' } }, /scores\.relevance: is not a number from 0 to 1, but a text/],
  ])('%j', (more, message) => {
    expect(() => packed(more)).toThrow(message)
  })

  it('members of a program’s own are its business', () => {
    expect(packed({ source: 'wiki', note: 'mine', ids: [1] }).outcome.kind).toBe('ok')
  })

  it('a share of the reply that leaves no room', () => {
    const fullReserve = { ...careful, reserveShare: 1 }
    expect(() => newCompiler().compile(packInput([plain], 4000, { policy: fullReserve }))).toThrow(
      'policy.reserveShare: leaves no room for a request. Give less than 1.',
    )
  })
})
