import { describe, expect, it } from 'vitest'
import type { CompileInput, Item, RankPolicy, Scores } from '../../core/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { compile, evidence, input, itemOf, sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from '../policy/policies.ts'
import { readPolicy } from '../policy/read-policy.ts'
import { rankRules } from './rank-rules.ts'

const ranked = (rank: Partial<RankPolicy>) => ({ ...careful, rank: { ...careful.rank, ...rank } })
const scoreOf = (rank: Partial<RankPolicy>, item: Item) => rankRules(ranked(rank).rank).scoreOf(item, 10, undefined)
const scored = (id: string, scores: Scores, more: Partial<Item> = {}) =>
  evidence(id, `Fact ${id}.`, { scores, ...more })
const placesOf = (changes: Partial<CompileInput>, ids: readonly string[]) => {
  const text = compile(input(changes)).pack?.messages.at(-1)?.text ?? ''
  return ids.toSorted((a, b) => text.indexOf(`Fact ${a}.`) - text.indexOf(`Fact ${b}.`))
}
const fateOf = (given: CompileInput) =>
  Object.fromEntries(
    compile(given).manifest.decisions.map(({ itemId, rung, reason }) => [itemId, `${rung}: ${reason}`]),
  )
const errorOf = (value: unknown) => {
  try {
    readPolicy(value)
  } catch (error) {
    return isPrehendError(error) ? error.message : error
  }
  return undefined
}

describe('presets', () => {
  const retrieval = { sections: { evidence: { preset: 'retrieval' } } } as const

  it('V-023: half relevance, three tenths recency, two tenths confidence', () => {
    const score = (scores: Scores) => scoreOf(retrieval, scored('e', scores))
    expect(score({ relevance: 1, freshness: 0, confidence: 0 })).toBeCloseTo(0.5, 12)
    expect(score({ relevance: 0, freshness: 1, confidence: 0 })).toBeCloseTo(0.3, 12)
    expect(score({ relevance: 0, freshness: 0, confidence: 1 })).toBeCloseTo(0.2, 12)
    expect(score({ relevance: 0.8, freshness: 0.5, confidence: 0.9 })).toBeCloseTo(0.73, 12)
    expect(score({ relevance: 0, freshness: 0, confidence: 0, utility: 1, authority: 1 })).toBe(0)
  })

  it('V-023: equals stand by their ids, however they arrive; P-023, P-028: elsewhere as they arrive', () => {
    const same = (ids: readonly string[]) => ids.map((id) => scored(id, { relevance: 0.5 }))
    for (const ids of [
      ['a', 'b', 'c', 'd', 'e'],
      ['d', 'b', 'e', 'a', 'c'],
    ])
      expect(placesOf({ items: same(ids), policy: ranked(retrieval) }, ids)).toEqual(['a', 'd', 'e', 'c', 'b'])
    const arrived = ['d', 'b', 'e', 'a', 'c']
    expect(placesOf({ items: same(arrived) }, arrived)).toEqual(['d', 'a', 'c', 'e', 'b'])
  })

  it('V-023: of equals that cannot all stay, those with the lower ids do, however they arrive', () => {
    for (const ids of [
      ['a', 'b', 'c', 'd'],
      ['d', 'c', 'b', 'a'],
      ['c', 'a', 'd', 'b'],
    ]) {
      const items = ids.map((id) => evidence(id, words(100, `${id}x`), { scores: { relevance: 0.5 } }))
      const given = (budget: CompileInput['budget']) =>
        input({ items, policy: ranked(retrieval), rehydration: false, budget })
      const kept = (budget: CompileInput['budget']) =>
        Object.entries(fateOf(given(budget))).flatMap(([id, fate]) => (fate.startsWith('omitted') ? [] : [id]))
      const sections = (bounds: object) => [{ section: 'evidence', ...bounds }]
      expect(kept({ windowTokens: 10_000, sections: sections({ maxItems: 2 }) }).toSorted()).toEqual(['a', 'b'])
      expect(kept({ windowTokens: 10_000, sections: sections({ max: 220 }) }).toSorted()).toEqual(['a', 'b'])
    }
  })
})

describe('weights of a section', () => {
  it('P-023: each section is scored by its own weights, the others by those of the policy', () => {
    const rank = { sections: { memory: { relevance: 0, freshness: 1, authority: 0, utility: 0, thrift: 0 } } }
    const scores = { relevance: 0.9, authority: 0.9, freshness: 0.1, utility: 0.9 }
    expect(scoreOf(rank, itemOf('memory', 'm', 'Fact.', { scores }))).toBeCloseTo(0.1, 12)
    expect(scoreOf(rank, scored('e', scores))).toBe(scoreOf({}, scored('e', scores)))
  })

  it('P-023: relevance, authority, freshness, utility and cost are weighed as the section says', () => {
    const own = { relevance: 0.4, authority: 0.2, freshness: 0.2, utility: 0.1, thrift: 0.1 }
    const scores = { relevance: 1, authority: 0.5, freshness: 0.25, utility: 0.8 }
    const item = itemOf('memory', 'm', 'Fact.', { scores })
    const thrift = 256 / (256 + 10)
    expect(scoreOf({ sections: { memory: own } }, item)).toBeCloseTo(0.4 + 0.1 + 0.05 + 0.08 + 0.1 * thrift, 12)
  })

  it('P-023: which memory stays follows its section’s weights, and is told in the receipt', () => {
    const items = [
      itemOf('memory', 'relevant', words(100, 'r'), { scores: { relevance: 1, freshness: 0.2 } }),
      itemOf('memory', 'fresh', words(100, 'f'), { scores: { relevance: 0.2, freshness: 1 } }),
    ]
    const sections = [{ section: 'memory', maxItems: 1 }]
    const given = { items, budget: { windowTokens: 10_000, sections } }
    const fresh = { sections: { memory: { relevance: 0, freshness: 1 } } }
    expect(fateOf(input({ ...given, policy: ranked(fresh) }))['fresh']).toMatch(/^full/)
    expect(fateOf(input({ ...given, policy: ranked({}) }))['fresh']).toBe('omitted: section-budget')
  })
})

describe('what was learnt', () => {
  const learned = { weights: { Insights: 0.9, Contrarian: 0.29, CausalEdges: 0.3, memory: 0.1, policy: 0 } }
  const of = (id: string, category: string, relevance: number) => scored(id, { relevance }, { category })

  it('V-021: what a category is worth multiplies the score; below 0.3 it is dropped; the rest stands best at both ends', () => {
    const items = [
      of('i1', 'Insights', 0.9),
      of('c1', 'CausalEdges', 1),
      of('x1', 'Contrarian', 1),
      of('i2', 'Insights', 0.8),
      of('c2', 'CausalEdges', 0.9),
      of('i3', 'Insights', 0.7),
      itemOf('memory', 'm1', 'Once.'),
      itemOf('policy', 'p1', 'Be safe.'),
    ]
    const policy = ranked({ learned, relevance: 1, authority: 0, freshness: 0, utility: 0, thrift: 0 })
    const fates = fateOf(input({ items, policy }))
    expect(fates).toMatchObject({ x1: 'omitted: below-floor', m1: 'omitted: below-floor', p1: 'full: fits' })
    const shown = ['i1', 'i2', 'i3', 'c1', 'c2']
    for (const id of shown) expect(fates[id]).toBe('full: fits')
    expect(placesOf({ items, policy }, shown)).toEqual(['i1', 'c1', 'c2', 'i3', 'i2'])
    const scores = new Map(compile(input({ items, policy })).manifest.decisions.map((one) => [one.itemId, one.score]))
    expect(scores.get('i1')).toBeCloseTo(0.81, 12)
    expect(scores.get('c1')).toBeCloseTo(0.3, 12)
  })

  it('V-021: by regime, with a floor of its own; what is pinned or unknown passes', () => {
    const items = [
      of('i1', 'Insights', 0.9),
      of('n1', 'News', 0.9),
      scored('i0', {}, { category: 'Insights', pin: true }),
    ]
    const policy = readPolicy({
      extends: 'careful',
      id: 'learnt',
      version: '1.0.0',
      overrides: { regime: { storm: { rank: { learned: { weights: { Insights: 0.5 }, floor: 0.6 } } } } },
    })
    expect(fateOf(input({ items, policy }))).toMatchObject({ i1: 'full: fits', n1: 'full: fits' })
    expect(fateOf(input({ items, policy, situation: { regime: 'storm' } }))).toMatchObject({
      i1: 'omitted: below-floor',
      n1: 'full: fits',
      i0: 'full: pinned',
    })
  })
})

describe('attention', () => {
  const rank = { scorer: 'attention' } as const

  it('X-32: the four components weigh the same, without weights to tune, and are added up', () => {
    const score = (scores: Scores) => scoreOf(rank, scored('e', scores))
    expect(score({ pragmatic: 1, epistemic: 1, affective: 1, urgency: 1 })).toBe(1)
    for (const one of ['pragmatic', 'epistemic', 'affective', 'urgency'])
      expect(score({ [one]: 0.6 })).toBeCloseTo(0.15, 12)
    expect(score({ pragmatic: 0.2, urgency: 0.6 })).toBeCloseTo(0.2, 12)
    const usual = scored('e', { relevance: 0.9 })
    expect(scoreOf(rank, usual)).toBe(scoreOf({}, usual))
  })

  it('X-32: what was learnt of the components moves the order, within a half and twice', () => {
    const items = ['b', 'a'].map((id) => scored(id, id === 'a' ? { pragmatic: 0.6 } : { epistemic: 0.7 }))
    const first = (multipliers: RankPolicy['multipliers'] = {}) =>
      placesOf({ items, policy: ranked({ ...rank, multipliers }) }, ['a', 'b'])[0]
    expect(first()).toBe('b')
    expect(first({ pragmatic: 2 })).toBe('a')
    const file = { extends: 'careful', id: 'x', version: '1.0.0' }
    expect(errorOf({ ...file, rank: { multipliers: { pragmatic: 2.1 } } })).toContain(
      'policy.rank.multipliers.pragmatic',
    )
    expect(errorOf({ ...file, rank: { multipliers: { urgency: 0.49 } } })).toContain('from 0.5 to 2')
  })
})

it('a section, preset or scorer that there is not is an error that names it', () => {
  const file = { extends: 'careful', id: 'x', version: '1.0.0' }
  expect(errorOf({ ...file, rank: { sections: { evidense: { thrift: 1 } } } })).toContain('Did you mean evidence?')
  expect(errorOf({ ...file, rank: { sections: { evidence: { preset: 'best' } } } })).toContain('one of retrieval')
  expect(errorOf({ ...file, rank: { scorer: 'magic' } })).toContain('one of composite, attention')
  expect(errorOf({ ...file, overrides: { regime: { r: { rank: { sections: { nope: {} } } } } } })).toContain(
    'policy.overrides.regime.r.rank.sections.nope',
  )
})

describe('by the request', () => {
  const byRequest = ranked({ scorer: 'request' })
  const scoresOf = (given: Partial<CompileInput>) =>
    Object.fromEntries(compile(input(given)).manifest.decisions.map(({ itemId, score }) => [itemId, score]))
  const noise = Array.from({ length: 30 }, (_, at) => evidence(`n${at}`, words(20, `noise${at}x`)))
  const ferry = evidence('ferry', `The ferry to Elba leaves at seven. ${words(20, 'port')}`)
  const frame = { request: 'When do ferries leave for Elba?' }
  const budget = { windowTokens: 400 }

  it('what the request asks for stays where not everything can, without scores of anybody’s', () => {
    const items = [...noise.slice(0, 15), ferry, ...noise.slice(15)]
    expect(fateOf(input({ items, frame, budget, policy: byRequest }))['ferry']).toMatch(/^full/)
    expect(fateOf(input({ items, frame, budget }))['ferry']).not.toMatch(/^full/)
  })

  it('a relevance of its own goes before what its words say', () => {
    const known = { ...ferry, scores: { relevance: 0.1 } }
    expect(scoresOf({ items: [known], frame, policy: byRequest })['ferry']).toBeCloseTo(0.1, 10)
    expect(scoresOf({ items: [ferry], frame, policy: byRequest })['ferry']).toBe(1)
  })

  it('of equals the longer one is worth more, though less than in proportion, so that short ones do not win by being short', () => {
    const item = (id: string, length: number) => evidence(id, words(length, id), { scores: { relevance: 0.8 } })
    const scores = scoresOf({ items: [item('short', 6), item('long', 240)], frame, policy: byRequest })
    expect(scores['long']).toBeCloseTo(0.8, 10)
    expect(scores['short']).toBeGreaterThan(0.8 * (6 / 240) ** 0.75)
    expect(scores['short']).toBeLessThan(0.8 * (30 / 240) ** 0.75)
  })

  it('instructions and conversation are scored as ever, and everything is where there is no request', () => {
    const items = [itemOf('history', 'said', 'The ferry to Elba.'), ferry]
    const thrifty = ranked({ thrift: 0 })
    expect(scoresOf({ items, frame, policy: byRequest })['said']).toBe(
      scoresOf({ items, frame, policy: thrifty })['said'],
    )
    const unasked = (policy: CompileInput['policy']) => {
      const { frame: _, ...given } = input({ items: [...items, itemOf('query', 'ask', 'When?')], policy })
      return compile(given).manifest.decisions.map(({ score }) => score)
    }
    expect(unasked(byRequest)).toEqual(unasked(thrifty))
  })

  it('the next request of one compiler is ranked anew, as a fresh one would', () => {
    const items = [ferry, evidence('train', `Trains to Vienna leave at nine. ${words(20, 'rail')}`)]
    const { compile: again } = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
    for (const request of ['ferry', 'train', 'ferry', 'ferry']) {
      const given = input({ items, frame: { request }, policy: byRequest })
      expect(again(given)).toEqual(compile(given))
    }
    const { ferry: none, train = 0 } = scoresOf({ items, frame: { request: 'train' }, policy: byRequest })
    expect(none).toBe(0)
    expect(train).toBeGreaterThan(0.9)
  })

  it('a policy file may ask for it', () => {
    const read = readPolicy({ extends: 'careful', id: 'asked', version: '1.0.0', rank: { scorer: 'request' } })
    expect(read.rank.scorer).toBe('request')
    expect(errorOf({ extends: 'careful', id: 'a', version: '1.0.0', rank: { scorer: 'requests' } })).toMatch(
      /rank\.scorer.*request/,
    )
  })
})
