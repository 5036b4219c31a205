import { describe, expect, it } from 'vitest'
import type { CompileInput, Item, Ledger, Rendition } from '../core/index.ts'
import type { ConversationPlanner } from './epochs/index.ts'
import { createCompiler } from './create-compiler.ts'
import { packInput, sha256, turn, wordTokens } from './word-tokens.fixture.ts'

const ledger: Ledger = {
  schema: 'prehend.ledger/1',
  epoch: 3,
  policyId: 'careful',
  entries: [],
  turns: 7,
  lastTokens: 0,
  lastOriginalTokens: 0,
  account: { passThrough: 0, actual: 0 },
  regret: 0,
  rehydrations: 0,
} as unknown as Ledger

const epoch = {
  epoch: 3,
  decision: 'begin',
  cause: 'gain',
  rewriteCost: 1,
  savingPerTurn: 2,
  expectedTurns: 3,
  credit: 4,
} as const

/** Shows the first item as one line and the rest as they are. */
const planner: ConversationPlanner = ({ items, tokens, limitTokens }) => {
  const renditions = items.map((item, index): Rendition =>
    index === 0
      ? { rung: 'line', text: '[one line]', tokens: 4, fidelity: 0.1, handle: 'abcd1234' }
      : { rung: 'full', text: item.text, tokens: tokens[index] ?? 0, fidelity: 1 },
  )
  return {
    renditions,
    reasons: items.map((_, index) => (index === 0 ? 'economy' : 'recent')),
    ledger,
    epoch,
    fits: renditions.reduce((sum, rendition) => sum + rendition.tokens, 0) <= limitTokens,
  }
}

const conversation = [turn('a', 50), turn('b', 10), turn('image', 0, { text: '', tokens: 85, kind: 'media' })]

const input = (items: readonly Item[], windowTokens: number): CompileInput => ({
  ...packInput(items, windowTokens),
  layout: 'messages',
  model: 'm',
})

const compiler = () => createCompiler({ tokenizer: wordTokens, hash: sha256, planner })

describe('compile, layout messages', () => {
  it('shows what the planner chose, in wire order', () => {
    const { pack, outcome } = compiler().compile(input(conversation, 1_000))
    expect(outcome).toEqual({ kind: 'ok' })
    expect(pack?.messages).toEqual([])
    expect(pack?.entries.map(({ itemId, rung, tokens }) => [itemId, rung, tokens])).toEqual([
      ['a', 'line', 4],
      ['b', 'full', 10],
      ['image', 'full', 85],
    ])
    expect(pack?.tokens).toBe(99)
  })

  it("V-003, X-02: the receipt has every decision, the planner's reasons and why the epoch began", () => {
    const { manifest, ledger: next } = compiler().compile(input(conversation, 1_000))
    expect(manifest.decisions.map(({ reason, handle }) => [reason, handle])).toEqual([
      ['economy', 'abcd1234'],
      ['recent', undefined],
      ['recent', undefined],
    ])
    expect(manifest).toMatchObject({ layout: 'messages', originalTokens: 145, packTokens: 99, epoch, model: 'm' })
    expect(manifest.truncations).toEqual([
      { section: 'history', reason: 'economy', rung: 'line', itemIds: ['a'], removedTokens: 46 },
    ])
    expect(next).toBe(ledger)
  })

  it('V-067: tells its host of the epoch', () => {
    const { events } = compiler().compile(input(conversation, 1_000))
    expect(events.map(({ type }) => type)).toEqual([
      'context:assembled',
      'context:compacted',
      'context:truncated',
      'context:fidelity',
      'context:epoch',
    ])
    expect(events[0]).toEqual({ type: 'context:assembled', turn: 7, sections: 1, tokens: 99 })
  })

  it('P-037: warns where less than nine tenths of a section is left, and says how much', () => {
    const { manifest, events } = compiler().compile(input(conversation, 1_000))
    const fidelity = (4 + 10 + 85) / 145
    expect(manifest.sections.find(({ section }) => section === 'history')?.fidelity).toBeCloseTo(fidelity, 12)
    expect(events).toContainEqual({ type: 'context:fidelity', section: 'history', fidelity })
  })

  it('P-033: what does not fit at the lowest rungs is refused with the figures', () => {
    const { pack, outcome, manifest } = compiler().compile(input(conversation, 98))
    expect(pack).toBeUndefined()
    expect(outcome).toEqual({
      kind: 'budget-exhausted',
      neededTokens: 99,
      availableTokens: 98,
      sections: ['history'],
    })
    expect(manifest.decisions).toHaveLength(3)
  })

  it('P-003: reserve and overhead are kept free', () => {
    const tight = input(conversation, 120)
    const outcomeOf = (budget: CompileInput['budget']) => compiler().compile({ ...tight, budget }).outcome.kind
    expect(outcomeOf({ windowTokens: 120, maxOutputTokens: 21 })).toBe('ok')
    expect(outcomeOf({ windowTokens: 120, maxOutputTokens: 22 })).toBe('budget-exhausted')
    expect(outcomeOf({ windowTokens: 120, maxOutputTokens: 20, overheadTokens: 2 })).toBe('budget-exhausted')
  })
})
