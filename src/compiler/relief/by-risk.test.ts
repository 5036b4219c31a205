import { describe, expect, it } from 'vitest'
import type { CompileResult, Item, Layout } from '../../core/index.ts'
import { omissionRisks, reliefProfiles } from '../../core/index.ts'
import { itemOf, words } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { readPolicy } from '../policy/read-policy.ts'
import { lines, packed, rounds, rungsOf, stepsOf, tool } from './relief-items.fixture.ts'
import { tellsPreference } from './preferences.ts'

const said = (id: string, role: 'user' | 'assistant', text: string): Item => itemOf('history', id, text, { role })
const report = Array.from({ length: 20 }, (_, at) => `The service number ${at} has restarted cleanly.`).join(' ')
const view = (id: string, text: string): readonly Item[] => {
  const own = { section: 'history', group: id, toolName: 'read', toolCallId: id } as const
  return [
    { ...own, id: `c${id}`, kind: 'tool-call', role: 'assistant', text: '{"path":"src/a.ts"}' },
    { ...own, id: `r${id}`, kind: 'tool-result', role: 'tool', text },
  ]
}
/** With a title that says nothing. */
const titled = {
  ...tool('alpha'),
  text: JSON.stringify({ name: 'alpha', input_schema: { title: `${words(30, 'a')} arguments`, type: 'object' } }),
}

/** Something of every risk, and things of none. */
const items: readonly Item[] = [
  itemOf('policy', 'p', 'Never delete anything.'),
  titled,
  itemOf('memory', 'wish', `The customer prefers ${words(80, 'wish')}.`, { category: 'preference' }),
  itemOf('memory', 'fact', lines(20, 'fact')),
  said('u1', 'user', `Look at it. ${words(60, 'u1')}`),
  ...view('v1', lines(30, 'v1')),
  said('a1', 'assistant', report),
  said('thanks', 'user', 'ok, thanks a lot, that makes sense'),
  said('a1b', 'assistant', report),
  ...view('v2', lines(30, 'v2')),
  said('a2', 'assistant', `Looked again. ${words(60, 'a2')}`),
  said('u3', 'user', 'And the rest?'),
  ...rounds(3),
]

function packedIn(layout: Layout, windowTokens: number): CompileResult {
  return packed({ relief: 'by-risk', items, layout, windowTokens })
}

function windows(layout: Layout): readonly CompileResult[] {
  const most = packedIn(layout, 90_000).manifest.packTokens / careful.pressure.compress / (1 - careful.reserveShare)
  return Array.from({ length: 60 }, (_, step) => packedIn(layout, Math.ceil(most - (step * most) / 62)))
}

describe.each(['payload', 'messages'] as const)('relief by risk in %s', (layout) => {
  const all = windows(layout)

  it('P-045: steps are taken in the order of what a reader may miss, and named so', () => {
    const order = reliefProfiles['by-risk']
    const seen = new Set<string>()
    for (const { manifest } of all) {
      const taken = manifest.relief?.steps.filter(({ section }) => section === undefined) ?? []
      const places = taken.map(({ step }) => order.indexOf(step as never))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      const risks = taken.flatMap(({ risk }) => (risk === undefined ? [] : [omissionRisks.indexOf(risk)]))
      expect(risks).toEqual(risks.toSorted((a, b) => a - b))
      for (const { step } of taken) seen.add(step)
    }
    // Of a conversation loose ends go as they come, words that were said stay at their place, and what an epoch pays for went before.
    const ofMessages = ['lossless', 'acknowledgements', 'superseded']
    const never = ['dedupe', 'step-notes', ...(layout === 'messages' ? ofMessages : [])]
    expect(order.filter((step) => !seen.has(step)).filter((step) => !never.includes(step))).toEqual([])
  })

  it('P-045: an acknowledgement goes before a repeat, a repeat before what was superseded, that before finished work', () => {
    const gone = ['thanks', 'a1', 'rv1', 'rv2'].map((id) =>
      all.findIndex((result) => !['full', 'lossless', undefined].includes(rungsOf(result)[id])),
    )
    const [thanks = -1, repeated = -1, superseded = -1, finished = -1] = gone
    if (layout === 'payload') expect(thanks).toBeLessThanOrEqual(repeated)
    expect(superseded).toBeLessThan(finished)
    expect(rungsOf(all[repeated]!)['a1b']).toBe('full')
  })

  it('P-045: what somebody would rather have stands whole until everything else has given way', () => {
    for (const result of all) {
      if (stepsOf(result).includes('preferences') || result.pack === undefined) continue
      expect(rungsOf(result)['wish']).toBe('full')
    }
    const last = all.filter((result) => stepsOf(result).includes('preferences'))
    expect(last.length).toBeGreaterThan(0)
    for (const result of last) expect(rungsOf(result)['fact']).toMatch(/omitted|pointer/)
  })
})

describe('what tells a preference', () => {
  it.each([
    ['I prefer aisle seats.', true],
    ['Please use tabs, always.', true],
    ["I'd like a window seat", true],
    ['The build failed in 12 s.', false],
    ['Which line is it?', false],
  ])('P-045: %j', (text, expected) => {
    expect(tellsPreference(said('u', 'user', text))).toBe(expected)
    expect(tellsPreference(said('a', 'assistant', text))).toBe(false)
    expect(tellsPreference({ ...said('a', 'assistant', text), category: 'preference' })).toBe(true)
  })

  it('P-045: a policy file asks for it by name', () => {
    expect(readPolicy({ extends: 'careful', id: 'mine', version: '1.0.0', relief: 'by-risk' }).relief).toBe('by-risk')
  })
})
