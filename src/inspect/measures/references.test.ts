import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { briefReferenceMarker, referenceMarker } from '../../ladders/index.ts'
import { referencesIn, stepsOf } from './references.ts'

const lines = (...numbers: readonly number[]): string[] => numbers.map((number) => `this is line ${number}`)
const text = (...parts: readonly string[]): string => parts.join('\n')

const steps =
  (results: Readonly<Record<number, string>>, calls: Readonly<Record<number, string>> = {}) =>
  (step: number, call: boolean) =>
    (call ? calls : results)[step]

/** The marker that stands for those lines of the original. */
const marker = (first: number, last: number, step = 2, call = false): string =>
  referenceMarker({ step, call, lines: last - first + 1, first, last, handle: 'abcd1234' })

const asked: readonly Pick<Item, 'kind' | 'text'>[] = [
  { kind: 'tool-call', text: '{}' },
  { kind: 'tool-result', text: 'nothing' },
  { kind: 'tool-call', text: '{}' },
]

describe('a reference in a shown text', () => {
  const source = text('head', ...lines(1, 2, 3, 4), 'tail')
  const original = text('head', ...lines(1, 2, 3, 4), 'other')

  it('is exact where it leads to one place and to its own lines', () => {
    const shown = text('head', 'this is line 1', marker(3, 5), 'other')
    expect(referencesIn(shown, original, steps({ 2: source }))).toEqual([{ lines: 3, isExact: true }])
    const called = text('head', 'this is line 1', marker(3, 5, 2, true), 'other')
    expect(referencesIn(called, original, steps({}, { 2: source }))).toEqual([{ lines: 3, isExact: true }])
    // What the step does not have above them does not matter where one place is left.
    const apart = text('something else', 'this is line 1', marker(3, 5))
    expect(referencesIn(apart, text('something else', ...lines(1, 2, 3, 4)), steps({ 2: source }))).toEqual([
      { lines: 3, isExact: true },
    ])
  })

  it('is exact in JSON on one line, where it stands in a string and its handle answers by pieces of the JSON', () => {
    const filler = Array.from({ length: 20 }, (_, at) => `more of what was printed, line ${at}`)
    const json = (...parts: readonly string[]): string => JSON.stringify([{ query: 'q', result: text(...parts) }])
    const whole = json('head', ...lines(1, 2, 3, 4), 'other', ...filler)
    const shown = (range: string): string => json('head', 'this is line 1', range, 'other', ...filler)
    const there = steps({ 2: json('head', ...lines(1, 2, 3, 4), 'tail') })
    expect(referencesIn(shown(marker(3, 5)), whole, there)).toEqual([{ lines: 3, isExact: true }])
    expect(referencesIn(shown(marker(2, 4)), whole, there)).toEqual([{ lines: 3, isExact: false }])
    const brief = briefReferenceMarker({ step: 2, call: false, first: 3, last: 5 })
    expect(referencesIn(shown(brief), whole, stepsOf([...asked, { ...asked[1]!, text: there(2, false)! }]))).toEqual([
      { lines: 3, isExact: true },
    ])
  })

  it('is not where the lines above it stand at several places that go on differently', () => {
    const twice = text('this is line 1', 'x', 'y', 'z', ...lines(1, 2, 3, 4))
    const shown = text('this is line 1', marker(2, 4))
    const whole = text(...lines(1, 2, 3, 4))
    expect(referencesIn(shown, whole, steps({ 2: twice }))).toEqual([{ lines: 3, isExact: false }])
    // Where they go on alike, any of them will do.
    const alike = text(...lines(1, 2, 3, 4), ...lines(1, 2, 3, 4))
    expect(referencesIn(shown, whole, steps({ 2: alike }))).toEqual([{ lines: 3, isExact: true }])
    // A line further up tells them apart.
    const told = text('z', 'this is line 1', marker(3, 5))
    expect(referencesIn(told, text('z', whole), steps({ 2: twice }))).toEqual([{ lines: 3, isExact: true }])
  })

  it('is not where it leads to other lines, to no step, brings others back, or has nothing above it', () => {
    const shown = text('head', 'this is line 1', marker(3, 5), 'other')
    const changed = text('head', ...lines(1, 2, 3, 5))
    expect(referencesIn(shown, original, steps({ 2: changed }))[0]?.isExact).toBe(false)
    expect(referencesIn(shown, original, steps({ 3: source }))[0]?.isExact).toBe(false)
    const shifted = text('head', 'this is line 1', marker(2, 4), 'other')
    expect(referencesIn(shifted, original, steps({ 2: source }))[0]?.isExact).toBe(false)
    expect(referencesIn(marker(1, 6), source, steps({ 2: source }))[0]?.isExact).toBe(false)
  })

  it('without a handle, is exact where the step shows the lines that it names, and they are the original’s', () => {
    const brief = (first: number, last: number, step = 2): string =>
      briefReferenceMarker({ step, call: false, first, last })
    const shown = (range: string): string => text('head', 'this is line 1', range, 'other')
    const read = (range: string): boolean | undefined =>
      referencesIn(shown(range), original, steps({ 2: source }))[0]?.isExact
    expect(read(brief(3, 5))).toBe(true)
    // The lines above lead to others than the marker names.
    expect(read(brief(4, 5))).toBe(false)
    expect(read(brief(3, 6))).toBe(false)
    expect(read(brief(3, 5, 3))).toBe(false)
  })

  it('is not where the step shows a fold in the place of the lines', () => {
    const folded = text('head', 'this is line 1', '[lines 3-5 folded: rehydrate("abcd1234", "3-5")]', 'tail')
    const shown = text('head', 'this is line 1', marker(3, 5), 'other')
    expect(referencesIn(shown, original, steps({ 2: folded }))[0]?.isExact).toBe(false)
  })
})

it('steps are told by position, where the id of a call comes again, too', () => {
  const item = (kind: 'tool-call' | 'tool-result', id: string, said: string): Item => ({
    id: `${kind} ${said}`,
    section: 'history',
    kind,
    text: kind === 'tool-call' ? JSON.stringify({ command: said }) : said,
    toolCallId: id,
  })
  const found = stepsOf([
    item('tool-call', 'call_0', 'one'),
    item('tool-result', 'call_0', 'first'),
    item('tool-call', 'call_0', 'two'),
    item('tool-call', 'call_1', 'three'),
    item('tool-result', 'call_1', 'third'),
    item('tool-result', 'call_0', 'second'),
  ])
  expect([1, 2, 3, 4].map((step) => found(step, false))).toEqual(['first', 'second', 'third', undefined])
  expect([1, 2, 3].map((step) => found(step, true))).toEqual(['one', 'two', 'three'])
})
