import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { factReader, ladderFor, lineIndex } from '../../ladders/index.ts'
import { looksAfterEdit } from './looks-after-edit.ts'
import { stepNumbers } from '../items/step-numbers.ts'

const pair = (id: string, toolName: string, args: object, text = 'done'): readonly Item[] => [
  {
    id: `c${id}`,
    section: 'history',
    kind: 'tool-call',
    role: 'assistant',
    toolName,
    toolCallId: id,
    text: JSON.stringify(args),
  },
  { id: `r${id}`, section: 'history', kind: 'tool-result', role: 'tool', toolName, toolCallId: id, text },
]
const edit = { path: 'src/a.ts', oldText: 'a', newText: 'b' }

describe('a look at a file that was just changed', () => {
  it('is told by the paths of the calls, for a few steps', () => {
    const items = [
      ...pair('1', 'read', { path: 'src/a.ts' }),
      ...pair('2', 'edit', edit),
      ...pair('3', 'read', { path: 'src/b.ts' }),
      ...pair('4', 'read', { path: 'src/a.ts' }),
      ...pair('5', 'bash', { command: 'npm test' }),
      ...pair('6', 'bash', { command: 'npm run build' }),
      ...pair('7', 'read', { path: 'src/a.ts' }),
    ]
    const looks = looksAfterEdit({ items, steps: stepNumbers(items), facts: factReader() })
    expect(items.flatMap(({ kind, id }, index) => (kind === 'tool-result' && looks(index) ? [id] : []))).toEqual(['r4'])
  })

  it('shows the lines, and not where they stood before the change', () => {
    const body = Array.from({ length: 30 }, (_, at) => `    value_${at} = compute(${at}, "text")`).join('\n')
    const text = `${'a line of its own, that stands nowhere else\n'.repeat(8)}${body}`
    const [, item] = pair('9', 'read', { path: 'src/a.ts' }, text)
    const shownLines = lineIndex().add({ key: 'k', step: 1, call: false }, `first\n${body}`.split('\n'))
    const shown = (looks: boolean) =>
      ladderFor(item!, {
        count: (said) => Math.ceil(said.length / 4),
        handle: '482915037114',
        step: 9,
        conversation: { shownLines, exact: true, looksAfterEdit: () => looks },
      }).at(-1)?.text
    expect(shown(false)).toMatch(/lines as in step 1, 8 before this/)
    expect(shown(true)).toBe(text)
  })
})
