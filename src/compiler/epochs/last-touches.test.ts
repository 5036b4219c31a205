import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { factReader } from '../../ladders/index.ts'
import { lastTouches } from './last-touches.ts'
import { stepNumbers } from '../items/step-numbers.ts'

const facts = factReader()

function agesOf(commands: readonly string[]): readonly number[] {
  const items = commands.flatMap((command, at): readonly Item[] => {
    const call = { section: 'history', toolName: 'bash', toolCallId: `call-${at}` } as const
    return [
      { ...call, id: `c${at}`, kind: 'tool-call', role: 'assistant', text: JSON.stringify({ command }) },
      { ...call, id: `r${at}`, kind: 'tool-result', role: 'tool', text: 'ok' },
    ]
  })
  const touched = lastTouches({ items, steps: stepNumbers(items), facts })
  return commands.map((_, at) => touched(2 * at + 1))
}

describe('last touches', () => {
  it('of a result that shows a file are the last call that names it, in whatever folder', () => {
    expect(agesOf(['cat src/cart/rows.py', 'ls', 'grep -n total /testbed/src/cart/rows.py', 'ls'])).toEqual([
      3, 2, 3, 4,
    ])
  })

  it('of one that shows none are its own', () => {
    expect(agesOf(['pytest tests', 'pytest tests', 'cat src/cart/rows.py'])).toEqual([1, 2, 3])
  })
})
