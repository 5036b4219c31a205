import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import type { TraceMessage } from '../trace.ts'
import { referencesIn, stepsOf } from './references.ts'

const lines = (...numbers: readonly number[]): string[] => numbers.map((number) => `this is line ${number}`)
const text = (...parts: readonly string[]): string => parts.join('\n')

const steps =
  (results: Readonly<Record<number, string>>, calls: Readonly<Record<number, string>> = {}) =>
  (step: number, call: boolean) =>
    (call ? calls : results)[step]

describe('a reference in a shown text', () => {
  const source = text('head', ...lines(1, 2, 3, 4), 'tail')
  const original = text('head', ...lines(1, 2, 3, 4), 'other')

  it('is exact where it leads to one place and to its own lines', () => {
    const shown = text('head', 'this is line 1', '[+3 lines as in step 2]', 'other')
    expect(referencesIn(shown, original, steps({ 2: source }))).toEqual([{ lines: 3, isExact: true }])
    const quoted = text('head', '[4 lines as in step 2, from: this is line 1]', 'other')
    expect(referencesIn(quoted, original, steps({ 2: source }))).toEqual([{ lines: 4, isExact: true }])
    const called = text('head', 'this is line 1', '[+3 lines as in the call of step 2]', 'other')
    expect(referencesIn(called, original, steps({}, { 2: source }))).toEqual([{ lines: 3, isExact: true }])
  })

  it('is not where the lines above it stand at several places that go on differently', () => {
    const twice = text('this is line 1', 'x', 'y', 'z', ...lines(1, 2, 3, 4))
    const shown = text('this is line 1', '[+3 lines as in step 2]')
    const whole = text(...lines(1, 2, 3, 4))
    expect(referencesIn(shown, whole, steps({ 2: twice }))).toEqual([{ lines: 3, isExact: false }])
    // Where they go on alike, any of them will do.
    const alike = text(...lines(1, 2, 3, 4), ...lines(1, 2, 3, 4))
    expect(referencesIn(shown, whole, steps({ 2: alike }))).toEqual([{ lines: 3, isExact: true }])
  })

  it('is not where it leads to other lines, to no step, or has nothing above it', () => {
    const shown = text('head', 'this is line 1', '[+3 lines as in step 2]', 'other')
    const changed = text('head', ...lines(1, 2, 3, 5))
    expect(referencesIn(shown, original, steps({ 2: changed }))[0]?.isExact).toBe(false)
    expect(referencesIn(shown, original, steps({ 3: source }))[0]?.isExact).toBe(false)
    expect(referencesIn('[+6 lines as in step 2]', source, steps({ 2: source }))[0]?.isExact).toBe(false)
  })

  it('is found behind a fold, where the original goes on', () => {
    const folded = text(
      'head',
      '[lines 2-4 folded: rehydrate("abcd1234", "2-4")]',
      'this is line 4',
      '[+1 line as in step 2]',
    )
    const whole = text('head', ...lines(1, 2, 3, 4), 'tail')
    expect(referencesIn(folded, whole, steps({ 2: source }))).toEqual([{ lines: 1, isExact: true }])
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
  const message = (role: 'assistant' | 'tool', ...items: readonly Item[]): TraceMessage => ({ id: role, role, items })
  const found = stepsOf([
    message('assistant', item('tool-call', 'call_0', 'one')),
    message('tool', item('tool-result', 'call_0', 'first')),
    message('assistant', item('tool-call', 'call_0', 'two'), item('tool-call', 'call_1', 'three')),
    message('tool', item('tool-result', 'call_1', 'third')),
    message('tool', item('tool-result', 'call_0', 'second')),
  ])
  expect([1, 2, 3, 4].map((step) => found(step, false))).toEqual(['first', 'second', 'third', undefined])
  expect([1, 2, 3].map((step) => found(step, true))).toEqual(['one', 'two', 'three'])
})
