import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CompileInput, Item } from '../../core/index.ts'
import { gateway128k } from '../budget/gateway-128k.ts'
import { policies } from '../policy/policies.ts'
import { newCompiler, words } from '../word-tokens.fixture.ts'
import { exchangeStarts, exchangesSince, tailExchanges, tailStart } from './conversation-tail.ts'

const said = (id: string, role: 'user' | 'assistant'): Item => ({
  id,
  section: 'history',
  kind: 'text',
  role,
  text: Array.from({ length: 12 }, (_, line) => words(`${id}line${line}`, 10)).join('\n'),
})

/** Exchanges of two messages, and every third with a second word of the user's right after his first. */
const conversation = (exchanges: number): readonly Item[] =>
  Array.from({ length: exchanges }, (_, at) => [
    said(`ask${at}`, 'user'),
    ...(at % 3 === 0 ? [said(`more${at}`, 'user')] : []),
    said(`answer${at}`, 'assistant'),
  ]).flat()

const startsOf = (items: readonly Item[]) => exchangeStarts(items.length, (place) => items[place])

describe('the tail of a conversation', () => {
  it('holds whole exchanges, the newest ones', () => {
    const items = conversation(4)
    const starts = startsOf(items)
    const ids = (exchanges: number) => items.slice(tailStart(starts, exchanges, items.length)).map(({ id }) => id)
    expect(ids(0)).toEqual([])
    expect(ids(1)).toEqual(['ask3', 'more3', 'answer3'])
    expect(ids(2)).toEqual(['ask2', 'answer2', 'ask3', 'more3', 'answer3'])
    expect(ids(9)).toHaveLength(items.length)
    expect(exchangesSince(starts, starts[1] ?? 0)).toBe(3)
  })

  it.each([1, 3, 7])('B-65: both layouts keep the same tail of %i as it was said', (recentTurns) => {
    const items = conversation(12)
    const tail = new Set(items.slice(tailStart(startsOf(items), recentTurns, items.length)).map(({ id }) => id))
    const whole = (layout: CompileInput['layout']) => {
      const { manifest } = newCompiler().compile({
        items,
        layout,
        policy: { ...policies['gateway-128k'], pressure: { prepare: 1, compress: 1, evict: 1 } },
        frame: { request: 'Go on.' },
        handleKey: 'key',
        rehydration: true,
        budget: { windowTokens: 128_000, sections: [{ section: 'history', recentTurns, olderTokens: 0 }] },
      })
      return manifest.decisions.filter(({ rung }) => rung === 'full').map(({ itemId }) => itemId)
    }
    const kept = items.filter(({ id }) => tail.has(id)).map(({ id }) => id)
    expect(whole('payload')).toEqual(kept)
    expect(whole('messages')).toEqual(kept)
  })

  it('B-65: how many it holds where nobody says is one figure, and no other file says where an exchange begins', () => {
    expect(gateway128k.slots).toContainEqual(expect.objectContaining({ recentVerbatimTurns: tailExchanges }))
    const compilerFiles = globSync('src/**/*.ts').filter((file) => !/\.(?:test|fixture|child)\.ts$/.test(file))
    const saying = (pattern: RegExp) =>
      compilerFiles.filter((file) => pattern.test(readFileSync(file, 'utf8'))).toSorted()
    expect(saying(/(?:recentTurns|recentVerbatimTurns): \d/)).toEqual([])
    // An episode, which is what steps of relief count, begins where the model goes on, too.
    expect(saying(/\bbeginsTurn\b/)).toEqual([
      'src/compiler/items/asked.ts',
      'src/compiler/items/conversation-tail.ts',
      'src/compiler/relief/episodes.ts',
    ])
  })
})
