import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'
import { factReader } from './text-facts.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const handle = '482915037114'

const call = (args: object): Item => ({
  id: 'c',
  section: 'history',
  kind: 'tool-call',
  role: 'assistant',
  text: JSON.stringify(args),
})

const text = (name: string, lines = 12): string =>
  Array.from({ length: lines }, (_, line) => `  ${name}.push("value ${line}", ${line})`).join('\n')

function folded(args: object, replacedTokens: number | undefined = 40): Record<string, unknown> | undefined {
  const conversation = replacedTokens === undefined ? {} : { replacedTokens }
  const form = ladderFor(call(args), { count, handle, conversation }).find(({ rung }) => rung === 'trimmed')
  return form && (JSON.parse(form.text) as Record<string, unknown>)
}

const marker = (range: string): string => `[lines ${range} written, not shown: rehydrate("${handle}", "${range}")]`

describe('a call whose edit was made', () => {
  it('shows the first and the last line of what it replaced, and what it wrote as it is', () => {
    const args = { path: 'a.ts', oldText: text('old'), newText: text('new') }
    const [first, last] = [text('old').split('\n')[0], text('old').split('\n').at(-1)]
    expect(folded(args)).toEqual({ ...args, oldText: `${first}\n${marker('2-11')}\n${last}` })
  })

  it('shows all edits of one call so', () => {
    const edits = ['one', 'two'].map((name) => ({ old_string: text(name), new_string: text(`${name}_new`) }))
    const shown = folded({ file_path: 'a.ts', edits })?.['edits'] as typeof edits
    expect(shown.map(({ new_string: added }) => added)).toEqual(edits.map(({ new_string: added }) => added))
    expect(shown.map(({ old_string: old }) => old.split('\n').length)).toEqual([3, 3])
  })

  it('stays whole where little was replaced, where it replaces nothing, and where no edit is known to be made', () => {
    expect(folded({ path: 'a.ts', oldText: text('old', 3), newText: text('new') })).toBeUndefined()
    expect(folded({ path: 'a.ts', oldText: text('old'), newText: text('new') }, 1000)).toBeUndefined()
    expect(folded({ path: 'a.ts', content: text('new', 100) })).toBeUndefined()
    const made = ladderFor(call({ path: 'a.ts', oldText: text('old'), newText: '' }), {
      count,
      handle,
      conversation: {},
    })
    expect(made.map(({ rung }) => rung)).toEqual(['full'])
  })
})

it('what is left of a folded string counts as lines, however short it is', () => {
  const facts = factReader()
  const lines = (old: string): readonly string[] => {
    const shown = call({ path: 'a.ts', oldText: old, newText: text('new') })
    return facts.eachLineOf(shown, shown.text)
  }
  expect(lines(`{\n${marker('2-11')}\n}`).slice(0, 3)).toEqual(['{', marker('2-11'), '}'])
  expect(lines('{\nnot shown: this\n}')[0]).toBe(text('new').split('\n')[0])
})
