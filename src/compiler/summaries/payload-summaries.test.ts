import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item } from '../../core/index.ts'
import { itemOf, words } from '../compile-input.fixture.ts'
import { chat, chatInput, compiled } from './chats.fixture.ts'
import type { ChatOptions } from './chats.fixture.ts'

const input = (items: readonly Item[], { input: more, ...options }: ChatOptions = {}): CompileInput =>
  chatInput(items, { ...options, input: { layout: 'payload', frame: { request: 'Go on.' }, ...more } })

const said = (result: CompileResult): readonly string[] => (result.pack?.messages ?? []).map(({ text }) => text)

const summaryIn = (result: CompileResult): string | undefined =>
  said(result).find((text) => text.startsWith('<conversation_summary>'))

const shownTurns = ({ pack }: CompileResult): readonly string[] =>
  (pack?.entries ?? []).filter(({ section }) => section === 'history').map(({ itemId }) => itemId)

describe('a payload whose conversation is cut', () => {
  it('has a short summary before the newest turns, and those as they were said; none where nothing is cut (A-045, P-068)', () => {
    const result = compiled(input(chat(30), { max: 1500 }))
    const messages = said(result)
    expect(messages[0]).toContain('SYSTEM POLICY')
    expect(messages[1]).toMatch(/^<conversation_summary>\n\[Summary: turns 1-20, /)
    expect(messages[1]).toContain('2 user, must hold: Never deploy on Fridays.')
    expect(messages[2]).toContain('u20x0')
    expect(shownTurns(result).at(0)).toBe('user21')
    expect(shownTurns(result).at(-1)).toBe('assistant30')
    expect(summaryIn(compiled(input(chat(10), { max: 1500 })))).toBeUndefined()
  })

  it('pays for the summary out of the budget of the history, and before its turns (B-69)', () => {
    for (const max of [900, 1500, 2500]) {
      const result = compiled(input(chat(60), { max }))
      const turns = (result.pack?.entries ?? []).filter(({ section }) => section === 'history')
      const tokens = turns.reduce((sum, entry) => sum + entry.tokens, 0)
      const summary = (result.manifest.summaries ?? []).reduce((sum, one) => sum + one.tokens, 0)
      expect(summary).toBeGreaterThan(0)
      expect(tokens + summary).toBeLessThanOrEqual(max)
    }
  })

  it('shows whole blocks or their summaries, and nothing in between, as long as three turns stay (B-51)', () => {
    for (const turns of [21, 22, 23, 24, 25]) {
      const result = compiled(input(chat(turns), { max: 1500 }))
      const first = Number(shownTurns(result)[0]?.slice('user'.length))
      expect(first % 5).toBe(1)
      expect(result.manifest.summaries?.flatMap(({ itemIds }) => itemIds)).toHaveLength(2 * (first - 1))
    }
  })

  it('keeps its cut and its summary in the packs that follow, as long as those fit', () => {
    const first = compiled(input(chat(30), { max: 1500 }))
    const cutAnew = compiled(input(chat(31), { max: 1500, input: { ledger: first.ledger } }))
    const next = compiled(input(chat(32), { max: 1500, input: { ledger: cutAnew.ledger } }))
    expect(said(next).slice(1, 14)).toEqual(said(cutAnew).slice(1, 14))
    expect(summaryIn(next)).toContain('turns 1-25')
  })

  it.each(['headers', 'xml', 'canonical'] as const)(
    'stands in markup %s before what was said last (A-045)',
    (markup) => {
      const text = said(compiled(input(chat(30), { max: 1500, input: { markup } }))).join('\n')
      expect(text.indexOf('<conversation_summary>')).toBeGreaterThan(0)
      expect(text.indexOf('<conversation_summary>')).toBeLessThan(text.indexOf('u20x0'))
    },
  )

  it('parts no call from its result, and summarises neither (P-017, X-18)', () => {
    const call = { section: 'history', toolName: 'bash', toolCallId: 'x', group: 'x' }
    const items: readonly Item[] = [
      ...chat(21),
      { ...call, id: 'c', kind: 'tool-call', role: 'assistant', text: '{"run":"x"}' },
      { ...call, id: 'r', kind: 'tool-result', role: 'tool', text: words(50, 'line') },
      ...chat(30).slice(42),
    ]
    const result = compiled(input(items, { max: 1500 }))
    const shown = new Set(shownTurns(result))
    expect(shown.has('c')).toBe(shown.has('r'))
    expect(summaryIn(result)).not.toContain('line0')
  })

  it('is summarised within any window, and never beyond it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 400, max: 6000 }),
        fc.constantFrom('oneshot', 'rolling', 'checkpoint', 'pyramid'),
        (turns, windowTokens, mode) => {
          const items = [
            ...chat(turns),
            itemOf('evidence', 'e', words(300), { kind: 'evidence', provenance: { sourceId: 's' } }),
          ]
          const result = compiled(input(items, { mode, input: { budget: { windowTokens } } }))
          expect(result.pack === undefined || result.pack.tokens <= windowTokens * 0.9).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('names in its receipt what the summary stands for (P-068)', () => {
    const { manifest } = compiled(input(chat(30), { max: 1500 }))
    expect(manifest.summaries?.[0]).toMatchObject({ itemIds: chat(20).map(({ id }) => id), writer: 'extractive/1' })
  })
})
