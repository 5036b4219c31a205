import { describe, expect, it } from 'vitest'
import type { Item, Rendition } from '../../core/index.ts'
import { factReader } from '../../ladders/index.ts'
import { spentLines } from './spent-lines.ts'
import { stepNumbers } from '../items/step-numbers.ts'

const text = (name: string): string => Array.from({ length: 12 }, (_, line) => `${name} says line ${line}`).join('\n')

let made = 0
const call = (value: unknown): Item => ({
  id: `c${made++}`,
  section: 'history',
  kind: 'tool-call',
  text: JSON.stringify(value),
  toolCallId: 'again',
})
const result = (said: string, status: 'ok' | 'error' = 'ok'): Item => ({
  id: `r${made++}`,
  section: 'history',
  kind: 'tool-result',
  text: said,
  toolCallId: 'again',
  status,
})

/** Whether a line of a text in the first call is spent, where all calls may be shortened. */
function isSpent(items: readonly Item[], value: string, line: string): boolean {
  const renditions = items.map((item): Rendition => ({ rung: 'full', text: item.text, tokens: 100, fidelity: 1 }))
  const skip = (index: number): boolean => items[index]?.kind === 'tool-call'
  const spent = spentLines({ items, renditions, steps: stepNumbers(items), facts: factReader(), skip })
  return spent.ofCall(0)(value)(line)
}

const written = text('first')
const write = (path: string, content: string): Item => call({ path, content })

describe('what of the model’s own calls nobody can miss', () => {
  it('is not what it wrote, as long as it stands', () => {
    expect(isSpent([write('a', written), result('ok')], written, 'first says line 3')).toBe(false)
    const other = [write('a', written), result('ok'), write('b', text('other')), result('ok')]
    expect(isSpent(other, written, 'first says line 3')).toBe(false)
  })

  it('is what it wrote anew since, or removed', () => {
    for (const later of [write('a', text('second')), call({ command: 'rm a' })])
      expect(isSpent([write('a', written), result('ok'), later, result('ok')], written, 'first says line 3')).toBe(true)
    const failed = [write('a', written), result('ok'), write('a', text('second')), result('no room', 'error')]
    expect(isSpent(failed, written, 'first says line 3')).toBe(false)
  })

  it('is the text that an edit replaced, but not what it put there, and not where it failed', () => {
    const edit = call({ path: 'a', old_str: text('old'), new_str: text('new') })
    expect(isSpent([edit, result('ok')], text('old'), 'old says line 3')).toBe(true)
    expect(isSpent([edit, result('ok')], text('new'), 'new says line 3')).toBe(false)
    expect(isSpent([edit, result('not found', 'error')], text('old'), 'old says line 3')).toBe(false)
  })

  it('is a line that stands elsewhere', () => {
    const seen = [write('a', written), result('ok'), call({ path: 'a' }), result(`${written}\nmore`)]
    expect(isSpent(seen, written, 'first says line 3')).toBe(true)
    expect(isSpent(seen, written, 'first says')).toBe(false)
  })
})

it('steps are told by position, where agents use the id of a call again, too', () => {
  const items = [call({}), result(''), call({}), call({}), result(''), result(''), result('')]
  expect(stepNumbers(items)).toEqual([1, 1, 2, 3, 2, 3, 4])
})
