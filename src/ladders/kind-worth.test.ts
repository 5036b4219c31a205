import { describe, expect, it } from 'vitest'
import type { ConversationContext, Rendition } from '../core/index.ts'
import { enveloped, kindSamples } from './kind-samples.fixture.ts'
import { ladderFor } from './ladder-for.ts'

const count = (text: string) => Math.ceil(text.length / 3)
const handle = '482915037114'
const read = (name: string): string => kindSamples.find((sample) => sample.name === name)?.text ?? ''

/** What is shown of a text where every item is chosen anew, and of one that a conversation has moved on from. */
function shownOf(text: string): readonly Rendition[] {
  const item = { id: 'i', section: 'history', kind: 'tool-result', text, toolName: 'bash' } as const
  const conversation: ConversationContext = {
    visible: new Set<string>(),
    age: 8,
    lineWorth: 0.0025,
    lowestRung: 'trimmed',
    shares: [0.5, 0.2],
  }
  return [...ladderFor(item, { count, handle }), ...ladderFor(item, { count, handle, conversation })]
}

function trimmedOf(text: string): readonly string[] {
  const trimmed = shownOf(text).filter(({ rung }) => rung === 'trimmed')
  expect(trimmed.length).toBeGreaterThan(1)
  return trimmed.map(({ text: shown }) => shown)
}

describe('what is left of each kind of content', () => {
  it.each(['csv-invoices', 'kubectl-get-pods', 'sqlite-box', 'sqlite-markdown', 'ps-aux'])('%s: the header', (name) => {
    const text = read(name)
    const [first = '', second = ''] = text.split('\n')
    const header = first.startsWith('┌') ? second : first
    for (const shown of [...trimmedOf(text), ...trimmedOf(enveloped(text))]) {
      const isPicked = !/^\[Table: \d+ of \d+ rows, (\d+) of \1 columns\]/.test(shown) && shown.startsWith('[Table: ')
      const names = header.split(',')
      const isHeader = (line: string): boolean => line.split(',').every((column) => names.includes(column))
      if (isPicked) expect(shown.split('\n').some(isHeader)).toBe(true)
      else expect(shown.split('\n')).toContain(header)
    }
  })

  it.each([
    ['json-records', ',11\n', '\ntea-14,'],
    ['k8s-list-json', '"phase": "CrashLoopBackOff"', '"name": "shop-api-7d9f5c-5"'],
  ])('%s: a value stands below what names its record', (name, value, record) => {
    const focus = new Set(['CrashLoopBackOff', 'stock'])
    const item = { id: 'i', section: 'history', kind: 'tool-result', text: read(name) } as const
    const ladder = ladderFor(item, { count, handle, focus })
    const showing = ladder.filter(({ rung, text }) => rung === 'trimmed' && text.includes(value))
    expect(showing).not.toEqual([])
    for (const { text } of showing) expect(text.lastIndexOf(record, text.indexOf(value))).toBeGreaterThan(-1)
  })

  it('settings: names and values stay, and not the middle of a sentence that was wrapped', () => {
    const tool = (name: string): string => `- server_name: desktop-commander
  tool_name: ${name}
  tool_description: "\\n                        Read the contents of a file from the\\
    \\ file system. Prefer this over 'execute_command' with cat/type for viewing files.\\n\\
    \\ configurable via 'fileReadLineLimit' setting of ${name}, initially 1000)\\n            \\
    \\                        \\n                        Examples:\\n               \\
    \\         - offset: 0, length: 10     → First 10 lines\\n                     \\
    \\ (URLs are always read in full regardless of offset/length)."
  inputschema:
    ${name}_path: '(string) '
    offset: '(Optional, number) '`
    const text = `success: true\nmatched_tools:\n${['read_file', 'read_files', 'write_file', 'edit_file'].map(tool).join('\n')}`
    const item = { id: 'i', section: 'history', kind: 'tool-result', text, toolName: 'route' } as const
    const conversation = { visible: new Set<string>(), age: 8, lineWorth: 0.0025 }
    const [, trimmed] = ladderFor(item, { count, handle, conversation })
    expect(trimmed?.rung).toBe('trimmed')
    for (const name of ['read_file', 'read_files', 'write_file', 'edit_file'])
      expect(trimmed?.text).toMatch(new RegExp(`tool_name: ${name}\n[^]*inputschema:\n    ${name}_path: '`))
    expect(trimmed?.text).not.toMatch(/Prefer this|configurable via/)
  })

  it.each(['html-page', 'html-fragment'])('%s: what the page says, and not what it loads', (name) => {
    for (const shown of trimmedOf(read(name))) {
      expect(shown).not.toMatch(/<link\b[^>]*stylesheet|<meta\b/)
      expect(shown).toMatch(/\p{L}{3,} \p{L}{2,}|\d/u)
    }
  })

  it('jest: what was expected and what was received stay with their test', () => {
    for (const shown of trimmedOf(read('jest'))) {
      expect(shown).toMatch(/● cart › totals[\s\S]*Expected: 90\n[\s\S]*Received: 100[\s\S]*● cart › keeps order/)
    }
  })

  it.each(kindSamples.filter(({ kind }) => kind === 'blob').map(({ name }) => name))('%s: one line', (name) => {
    const shown = shownOf(read(name)).filter(({ rung }) => rung !== 'full' && rung !== 'lossless')
    expect(shown.map(({ rung }) => rung)).not.toContain('trimmed')
    expect(shown.find(({ rung }) => rung === 'line')?.text).toMatch(/^\[Tool: bash:[\w-]+ - ok, \d+ tokens\] rehydrate/)
  })

  it.each(['mail-thread', 'mail-outlook', 'mail-german'])('%s: its headers; what it quotes goes first', (name) => {
    const text = read(name)
    const headers = text.split('\n\n')[0]?.split('\n') ?? []
    for (const shown of trimmedOf(text)) expect(shown.split('\n').slice(0, headers.length)).toEqual(headers)
  })

  it('a mail: the newest words stay where there is room for half', () => {
    const [shown = ''] = trimmedOf(read('mail-thread'))
    expect(shown).toContain('12.00 euros for the cup')
    expect(shown).not.toContain('came in three pieces')
  })

  it.each([
    ['prose-chinese', '2026年3月18日'],
    ['prose-japanese', '新茶の入荷について'],
    ['prose-russian', '18 марта 2026 года'],
    ['prose-german', 'Protokoll der Besprechung vom 4. März 2026'],
    ['changelog', '## 1.14.2 - 2026-03-04'],
  ])('%s: its head, headings and dates, and not nothing', (name, words) => {
    for (const shown of trimmedOf(`${read(name)}\n${'Nothing else is known of it, and nobody asks.\n'.repeat(60)}`))
      expect(shown).toContain(words)
  })
})
