import { expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { factReader } from '../../ladders/index.ts'
import { newestViews, quotedBy } from './newest-views.ts'
import { stepNumbers } from '../items/step-numbers.ts'

/** A call with these arguments, and its result. */
function step(number: number, value: unknown): readonly Item[] {
  const common = { section: 'history', toolCallId: `call-${number}` } as const
  return [
    { ...common, id: `c${number}`, kind: 'tool-call', text: JSON.stringify(value) },
    { ...common, id: `r${number}`, kind: 'tool-result', text: `result ${number}` },
  ]
}

function viewsOf(values: readonly unknown[]): readonly string[] {
  const items = values.flatMap((value, number) => step(number, value))
  const found = newestViews({ items, steps: stepNumbers(items), facts: factReader() })
  return items.flatMap(({ id }, index) => (found.has(index) ? [id] : []))
}

it('are the last two results that show a file, however it was looked at', () => {
  const whole = { path: 'a.ts' }
  const part = { path: 'a.ts', offset: 40, limit: 20 }
  const printed = { command: "cd /app && sed -n '1,80p' a.ts" }
  expect(viewsOf([whole, part, { path: 'b.ts' }, printed])).toEqual(['r1', 'r2', 'r3'])
})

it('are no results of other programs, nor of edits', () => {
  expect(viewsOf([{ command: 'npm test' }, { path: 'a.ts', content: 'x' }, { query: 'a.ts' }])).toEqual([])
})

it('know when their file was last edited after them', () => {
  const edit = { path: 'a.ts', old_str: 'x', new_str: 'y' }
  const values = [{ path: 'a.ts' }, edit, { path: 'b.ts' }, edit, { path: 'c.ts' }]
  const items = values.flatMap((value, number) => step(number, value))
  const steps = stepNumbers(items)
  const views = newestViews({ items, steps, facts: factReader() })
  const [first, , second] = items.flatMap(({ kind }, index) => (kind === 'tool-result' ? [views.get(index)] : []))
  expect(first).toMatchObject({ edited: steps[items.findIndex(({ id }) => id === 'c3')] })
  expect(second).not.toHaveProperty('edited')
  expect(quotedBy(1)).toBeGreaterThan(quotedBy(20))
})
