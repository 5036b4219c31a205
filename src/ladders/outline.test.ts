import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'
import { withoutHandle } from './marker.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const handle = '123456789012'

const shortened = (item: Item, shares: readonly number[] = []) =>
  ladderFor(item, { count, handle, step: 3, conversation: { outline: true, shares, callTokens: 24 } }).slice(1)

describe('a result by its ends', () => {
  const lines = Array.from({ length: 400 }, (_, at) => `worker ${at % 7} handled request number ${at} in ${at % 97} ms`)
  const item: Item = { id: 'r', section: 'history', kind: 'tool-result', role: 'tool', toolName: 'bash', text: '' }

  it('shows more of the beginning than of the end, and takes about the share that is asked for', () => {
    const text = lines.join('\n')
    const [outline, line] = shortened({ ...item, text }, [0.2])
    const [head = '', tail = ''] = outline!.text.split(/\n?\[lines \d+-\d+ folded: .*\]\n/)
    expect(text.startsWith(head)).toBe(true)
    expect(text.endsWith(tail)).toBe(true)
    expect(head.length).toBeGreaterThan(tail.length)
    expect(outline!.tokens).toBeLessThanOrEqual(0.22 * count(text))
    expect(outline!.tokens).toBeGreaterThan(0.15 * count(text))
    expect(line!.rung).toBe('line')
  })

  it('keeps what failed in the middle', () => {
    const text = lines.with(200, 'TypeError: rows is not iterable').join('\n')
    expect(shortened({ ...item, text }, [0.1])[0]!.text).toContain('TypeError: rows is not iterable')
  })
})

describe('a call by first lines', () => {
  const content = Array.from({ length: 60 }, (_, at) => `const value${at} = compute(${at})`).join('\n')
  const item: Item = {
    id: 'c',
    section: 'history',
    kind: 'tool-call',
    role: 'assistant',
    toolName: 'write',
    text: JSON.stringify({ path: 'src/values.ts', content }),
  }

  it('stays JSON with the same keys, and says that the rest was written', () => {
    const [call] = shortened(item)
    const args = JSON.parse(call!.text) as { path: string; content: string }
    expect(args.path).toBe('src/values.ts')
    expect(args.content.split('\n').slice(0, 2)).toEqual([
      'const value0 = compute(0)',
      `[lines 2-59 written, not shown: rehydrate("${handle}", "2-59")]`,
    ])
  })

  it('names no handle where none can be followed', () => {
    const [call] = shortened(item)
    const { content: shown } = JSON.parse(withoutHandle(call!.text, handle)) as { content: string }
    expect(shown).toContain('\n[lines 2-59 written, not shown]\n')
    expect(shown).not.toContain(handle)
  })
})

it.each([
  [`[lines 5-9 folded: rehydrate("${handle}", "5-9")]`, '[lines 5-9 left out]'],
  [`[line 7 folded: ${handle}]`, '[line 7 left out]'],
  [`[5-9 folded: ${handle}]`, '[lines 5-9 left out]'],
  [
    `[Tool: bash - error, 90 tokens, step 2] exit 1; rehydrate("${handle}")`,
    '[Tool: bash - error, 90 tokens, step 2] exit 1',
  ],
  [`[Turn: user, 90 tokens] rehydrate("${handle}")`, '[Turn: user, 90 tokens]'],
  [`[folded: rehydrate("${handle}")]`, '[folded]'],
  ['[line 7 folded: 999999999999]', '[line 7 folded: 999999999999]'],
])('%s without its handle is %s', (marker, left) => {
  expect(withoutHandle(marker, handle)).toBe(left)
})
