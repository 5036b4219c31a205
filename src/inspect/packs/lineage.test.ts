import { expect, it } from 'vitest'
import { careful } from '../../compiler/index.ts'
import type { CompileInput, Item } from '../../core/index.ts'
import { compile } from '../../sessions/index.ts'
import { findQuote } from './find-quote.ts'
import { lineageOf } from './lineage.ts'

const text = (count: number, name: string): string =>
  Array.from({ length: count }, (_, at) => `${name} ${at} of the list.`).join('\n')

const provenance = {
  sourceId: 'handbook',
  uri: 'file:///handbook.md',
  title: 'Handbook',
  retrievedAt: '2026-01-02T03:04:05Z',
  lineage: 'query: vacation',
}
const items: readonly Item[] = [
  { id: 'rules', section: 'policy', kind: 'instruction', role: 'system', text: 'Be brief.' },
  { id: 'ask', section: 'history', kind: 'text', role: 'user', text: 'What does the log say?' },
  {
    id: 'call',
    section: 'history',
    kind: 'tool-call',
    role: 'assistant',
    group: 'g',
    toolName: 'read',
    text: '{"path":\n "build.log"}',
  },
  { id: 'log', section: 'history', kind: 'tool-result', role: 'tool', group: 'g', text: text(300, 'Entry') },
  { id: 'said', section: 'history', kind: 'text', role: 'assistant', text: 'It lists entries.' },
  { id: 'page', section: 'evidence', kind: 'evidence', text: text(20, 'Paragraph'), provenance },
  { id: 'pref', section: 'memory', kind: 'memory', text: 'Likes short answers.' },
]
const input: CompileInput = {
  items,
  budget: { windowTokens: 2_000 },
  policy: careful,
  layout: 'payload',
  frame: { request: 'Go on.' },
  rehydration: true,
}
const result = compile(input)

it('P-072: tokens of a pack stand by section and item, and add up to those of the pack', () => {
  const { sections, frameTokens, packTokens } = lineageOf(result, items)
  expect(packTokens).toBe(result.pack?.tokens)
  expect(frameTokens).toBe(result.manifest.frameTokens)
  expect(sections.reduce((sum, { tokens }) => sum + tokens, frameTokens)).toBe(packTokens)
  expect(sections.flatMap((section) => section.items.map(({ itemId }) => itemId)).toSorted()).toEqual(
    items.map(({ id }) => id).toSorted(),
  )
  for (const { items: own } of sections)
    expect(own.map(({ tokens }) => tokens)).toEqual(own.map(({ tokens }) => tokens).toSorted((a, b) => b - a))
})

it('P-072: each item leads to where it comes from: source and query, memory, or message, turn, tool and call', () => {
  const found = new Map(
    lineageOf(result, items).sections.flatMap((one) => one.items.map((own) => [own.itemId, own.origin])),
  )
  for (const { id } of items) expect(found.get(id)?.kind).toBeDefined()
  const { lineage: query, ...rest } = provenance
  expect(found.get('page')).toEqual({ kind: 'evidence', ...rest, query })
  expect(found.get('log')).toMatchObject({
    message: 4,
    turn: 1,
    tool: 'read',
    callId: 'call',
    asked: '{"path": "build.log"}',
  })
  expect(found.get('said')).toMatchObject({ message: 5, turn: 2, role: 'assistant' })
  expect(found.get('pref')).toEqual({ kind: 'memory' })
})

it('P-072: a piece of text leads to the items that say it, shown or not, and to their lines', () => {
  const search = { items, manifest: result.manifest, pack: result.pack }
  const handle = result.manifest.decisions.find(({ itemId }) => itemId === 'log')?.handle
  expect(handle).toBeDefined()
  expect(findQuote({ ...search, quote: 'Entry  150 of the list.\nEntry 151' })).toMatchObject([
    { itemId: 'log', firstLine: 151, lastLine: 152, isShown: false, handle, origin: { tool: 'read' } },
  ])
  expect(findQuote({ ...search, quote: 'Paragraph 3 of' })).toMatchObject([
    { itemId: 'page', firstLine: 4, isShown: true },
  ])
  expect(findQuote({ ...search, quote: 'nowhere' })).toEqual([])
  expect(() => findQuote({ ...search, quote: ' \n' })).toThrow('quote: has 0 characters')
})
