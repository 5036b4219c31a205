import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item, LadderMaker } from '../core/index.ts'
import { sha256, wordTokenizer, words } from './compile-input.fixture.ts'
import { createCompiler } from './create-compiler.ts'
import { careful } from './policy/policies.ts'

/** Shows a table of readings as how many there are; nobody else knows this kind of content. */
const readings: LadderMaker = (item, { count, handle }) => {
  const full = { rung: 'full' as const, text: item.text, tokens: count(item.text), fidelity: 1 }
  if (!item.text.startsWith('READINGS')) return [full]
  const text = `READINGS, ${item.text.split('\n').length} rows ${handle}`
  return [full, { rung: 'trimmed', text, tokens: count(text), fidelity: 0.3, handle }]
}

const table = (name: string): string =>
  ['READINGS', ...Array.from({ length: 40 }, (_, row) => words(10, `${name}r${row}x`))].join('\n')

const conversation = (results: number): readonly Item[] => [
  { id: 'ask', section: 'query', kind: 'text', role: 'user', text: 'Go on.' },
  ...Array.from({ length: results }, (_, index): readonly Item[] => {
    const call = { section: 'history', toolName: 'probe', toolCallId: `t${index}` }
    return [
      { ...call, id: `c${index}`, kind: 'tool-call', role: 'assistant', text: '{}' },
      { ...call, id: `r${index}`, kind: 'tool-result', role: 'tool', text: table(`t${index}`) },
    ]
  }).flat(),
]

/** Never begins an epoch to save money. */
const saving = { ...careful, epochs: { ...careful.epochs, reserveCalls: 1e9 } }

const anHourMs = 3_600_000

function compileWith(ladders: LadderMaker, changes: Partial<CompileInput>): CompileResult {
  return createCompiler({ tokenizer: wordTokenizer, hash: sha256, ladders }).compile({
    items: conversation(10),
    layout: 'messages',
    policy: careful,
    budget: { windowTokens: 100_000 },
    handleKey: 'key',
    rehydration: true,
    nowMs: 0,
    ...changes,
  })
}

const rowsShown = ({ pack }: CompileResult): number =>
  pack?.entries.filter(({ text }) => text.startsWith('READINGS, 41 rows')).length ?? 0

describe('a ladder of one’s own, in a conversation', () => {
  it('is asked for the rungs that an epoch shows', () => {
    const first = compileWith(readings, { policy: saving, items: conversation(9) })
    expect(rowsShown(first)).toBe(0)
    const epoch = compileWith(readings, { ledger: first.ledger, nowMs: anHourMs })
    expect(epoch.manifest.epoch).toMatchObject({ decision: 'begin', cause: 'cold-cache' })
    expect(rowsShown(epoch)).toBeGreaterThan(0)
    expect(epoch.manifest.decisions.filter(({ rung }) => rung === 'trimmed')).toHaveLength(rowsShown(epoch))
  })

  it('is asked for the rungs that pressure shows', () => {
    const pressed = compileWith(readings, { policy: saving, budget: { windowTokens: 4_500 } })
    expect(pressed.manifest.epoch).toMatchObject({ decision: 'begin', cause: 'pressure' })
    expect(rowsShown(pressed)).toBeGreaterThan(0)
  })

  it('is told what the conversation knows', () => {
    const told = new Set<string>()
    const listening: LadderMaker = (item, context) => {
      for (const [name, value] of Object.entries(context.conversation ?? {})) if (value !== undefined) told.add(name)
      return readings(item, context)
    }
    const first = compileWith(listening, { items: conversation(9) })
    compileWith(listening, { ledger: first.ledger, nowMs: anHourMs })
    const always = [
      'age',
      'asked',
      'askedAgain',
      'askedNames',
      'askedTerms',
      'callTokens',
      'everyLine',
      'lineWorth',
      'looksAfterEdit',
      'lowestRung',
      'mayCutData',
      'said',
      'shownLines',
      'spent',
      'usualEnds',
      'visible',
    ]
    expect([...told].toSorted()).toEqual(always)
  })
})
