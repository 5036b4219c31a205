import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolIndex } from '../search/tool-index.ts'
import { likelyTools } from './likely-tools.ts'
import type { ChosenTool, ToolChoice } from './select-tools.ts'
import { selectTools } from './select-tools.ts'

const ids = Array.from({ length: 30 }, (_, at) => `t${String(at).padStart(2, '0')}`)
const tokens = new Map(ids.map((id) => [id, 100]))
const found = (...scores: readonly (readonly [string, number])[]): readonly ChosenTool[] =>
  scores.map(([id, score]) => ({ id, score }))
const choose = (choice: Partial<ToolChoice>) => selectTools({ tokens, core: [], found: [], ...choice })

describe('the tools of a request (G-025, B-03, X-04)', () => {
  it('are core tools first, then the best of the search by id', () => {
    const { ids: offered, tokens: spent } = choose({ core: ['t20'], found: found(['t09', 3], ['t02', 2]) })
    expect(offered).toEqual(['t20', 't02', 't09'])
    expect(spent).toBe(300)
  })

  it('are at most 12 and 8,000 tokens', () => {
    const all = ids.map((id, at): ChosenTool => ({ id, score: 100 - at }))
    expect(choose({ found: all }).ids).toEqual(ids.slice(0, 12))
    const large = new Map(ids.map((id) => [id, 3000]))
    expect(choose({ tokens: large, found: all }).ids).toEqual(['t00', 't01'])
  })

  it('skip what does not fit and go on', () => {
    const sizes = new Map([...tokens, ['t01', 7950]])
    expect(choose({ tokens: sizes, found: found(['t00', 3], ['t01', 2], ['t02', 1]) }).ids).toEqual(['t00', 't02'])
  })

  it('are all core tools, even above the caps, and no others, with a warning', () => {
    const core = ids.slice(0, 13)
    const many = choose({ core, found: found(['t20', 9]) })
    expect(many.ids).toEqual(core)
    expect(many.warnings).toEqual([expect.stringContaining('13 core tools exceed maxTools (12)')])
    const large = choose({ core: ['t00', 't01'], maxTokens: 150, found: found(['t20', 9]) })
    expect(large.ids).toEqual(['t00', 't01'])
    expect(large.warnings).toEqual([expect.stringContaining('200 tokens and exceed maxTokens (150)')])
  })

  it('leave out core tools that are not there, with a warning', () => {
    expect(choose({ core: ['gone', 't01'] })).toMatchObject({
      ids: ['t01'],
      warnings: ['Core tool gone is not in the catalogue.'],
    })
  })

  it('are only core tools where the query has nothing to do with any', () => {
    expect(choose({ core: ['t00'], found: found(['t05', 0.3], ['t06', 0.2]) }).ids).toEqual(['t00'])
    expect(choose({ core: ['t00'], found: [{ id: 't05', score: 0.3, fit: 0.6 }] }).ids).toEqual(['t00', 't05'])
    const index = toolIndex([
      { id: 'a', name: 'weather', description: 'Weather of a city', schema: {} },
      { id: 'b', name: 'mail', description: 'Sends a mail to a person', schema: {} },
    ])
    const byQuery = (query: string): readonly string[] =>
      selectTools({
        tokens: new Map([
          ['a', 9],
          ['b', 9],
          ['core', 9],
        ]),
        core: ['core'],
        found: index.search(query),
      }).ids
    expect(byQuery('Why is the sky blue?')).toEqual(['core'])
    expect(byQuery('Will it rain in the city? I mean the weather.')).toEqual(['core', 'a'])
  })

  it('keep what was called, even where nothing finds it', () => {
    const all = ids.slice(1).map((id, at): ChosenTool => ({ id, score: 100 - at }))
    const { ids: offered } = choose({ called: ['t29', 't00'], found: all, maxTools: 4 })
    expect(offered).toEqual(['t00', 't01', 't02', 't29'])
  })

  it('stay within an epoch, and a new one comes only above 1.3 times the worst of the chosen', () => {
    const chosen = found(['t05', 4], ['t06', 2])
    const within = (score: number) => choose({ chosen, found: found(['t07', score]) })
    expect(within(2.6).ids).toEqual(['t05', 't06'])
    expect(within(2.61).ids).toEqual(['t05', 't06', 't07'])
    expect(within(2.61).chosen).toEqual([...chosen, { id: 't07', score: 2.61 }])
    expect(choose({ found: found(['t07', 2.6]) }).ids).toEqual(['t07'])
  })

  it('take a new one within an epoch where none was chosen', () => {
    expect(choose({ chosen: [], found: found(['t07', 0.6]) }).ids).toEqual(['t07'])
  })

  it('let no new one push a chosen one out', () => {
    const chosen = ids.slice(0, 12).map((id) => ({ id, score: 1 }))
    expect(choose({ chosen, found: found(['t20', 9]) }).ids).toEqual(ids.slice(0, 12))
  })

  it('hold no tool that has left the catalogue', () => {
    const gone = choose({ chosen: found(['gone', 3]), called: ['left'], found: found(['away', 9], ['t01', 8]) })
    expect(gone.ids).toEqual(['t01'])
  })
})

const drawnId = fc.constantFrom(...ids)
const drawnFound = fc
  .uniqueArray(fc.record({ id: drawnId, score: fc.double({ min: 0.01, max: 9, noNaN: true }) }), {
    selector: ({ id }) => id,
  })
  .map((drawn) => drawn.toSorted((one, other) => other.score - one.score))
const drawnChoice = fc.record({
  core: fc.uniqueArray(drawnId, { maxLength: 15 }),
  called: fc.uniqueArray(drawnId, { maxLength: 6 }),
  chosen: drawnFound,
  found: drawnFound,
  sizes: fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 30, maxLength: 30 }),
  maxTools: fc.integer({ min: 0, max: 20 }),
})

describe('whatever is asked for, the tools of a request', () => {
  it('hold core, called and chosen ones, and add others only within both limits', () => {
    fc.assert(
      fc.property(drawnChoice, ({ sizes, ...choice }) => {
        const own = new Map(ids.map((id, at) => [id, sizes[at] ?? 1]))
        const { ids: offered, tokens: spent } = selectTools({ ...choice, tokens: own })
        const held = new Set([...choice.core, ...choice.called, ...choice.chosen.map(({ id }) => id)])
        expect(new Set(offered).size).toBe(offered.length)
        expect(spent).toBe(offered.reduce((sum, id) => sum + (own.get(id) ?? 0), 0))
        for (const id of held) expect(offered).toContain(id)
        if (offered.length > held.size) {
          expect(offered.length).toBeLessThanOrEqual(choice.maxTools)
          expect(spent).toBeLessThanOrEqual(8000)
        }
        const core = offered.slice(0, choice.core.length)
        expect(core).toEqual(choice.core.toSorted())
        expect(offered.slice(core.length)).toEqual(offered.slice(core.length).toSorted())
      }),
    )
  })

  it('are the same whatever the order of registration, and asking again changes nothing', () => {
    fc.assert(
      fc.property(drawnChoice, ({ sizes, ...choice }) => {
        const entries = ids.map((id, at): readonly [string, number] => [id, sizes[at] ?? 1])
        const one = selectTools({ ...choice, tokens: new Map(entries) })
        const other = selectTools({
          ...choice,
          core: choice.core.toReversed(),
          called: choice.called.toReversed(),
          tokens: new Map(entries.toReversed()),
        })
        expect(other).toEqual(one)
        const again = selectTools({ ...choice, chosen: one.chosen, found: [], tokens: new Map(entries) })
        expect(again.ids).toEqual(one.ids)
      }),
    )
  })
})

describe('likely tools', () => {
  it('come by calls, by the query, and small ones before large ones', () => {
    const sizes = new Map([
      ['large', 400],
      ['rare', 100],
      ['small', 100],
    ])
    const order = (calls: readonly (readonly [string, number])[], query: readonly ChosenTool[] = []) =>
      likelyTools({ tokens: sizes, calls: new Map(calls), found: query }).map(({ id }) => id)
    expect(
      order([
        ['small', 6],
        ['large', 10],
      ]),
    ).toEqual(['small', 'large', 'rare'])
    expect(
      order([
        ['small', 4],
        ['large', 10],
      ]),
    ).toEqual(['large', 'small', 'rare'])
    expect(order([['large', 10]], found(['rare', 7]))).toEqual(['rare', 'large', 'small'])
    expect(order([])).toEqual(['large', 'rare', 'small'])
  })
})
