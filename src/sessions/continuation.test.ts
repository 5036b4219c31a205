import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entriesOf, ledgerKeys } from '../compiler/index.ts'
import type { Item, Ledger, Role } from '../core/index.ts'
import { answeredItems, continuation } from './continuation.ts'
import type { Continuation, KnownConversation } from './continuation.ts'

const keysOf = ledgerKeys((text) => hash('sha256', text))

/** Words of the user begin with a small letter, the model's with a capital. */
function items(words: string): readonly Item[] {
  return words.split(' ').map((text, index) => {
    const role: Role = text.startsWith(text[0]!.toUpperCase()) ? 'assistant' : 'user'
    return { id: `${index}`, section: 'history', kind: 'text', role, text }
  })
}

interface Known extends KnownConversation {
  readonly name: string
}

/** What is known after a request, as a compile leaves it. */
function after(words: string, name = words): Known {
  const entries = keysOf(items(words)).map((key) => ({ key, rung: 'full', tokens: 2, originalTokens: 3 }))
  const total = { lastTokens: 2 * entries.length, lastOriginalTokens: 3 * entries.length }
  const ledger = { layout: 'messages', entries, marks: [{ items: entries.length }], ...total } as unknown as Ledger
  return { name, ledger, answeredItems: answeredItems(items(words)) }
}

function following(known: readonly Known[], words: string): Continuation<Known> | undefined {
  return continuation(known, () => items(words), keysOf)
}

describe('continuation', () => {
  it('is of none where nothing is known', () => {
    expect(following([], 'task')).toBeUndefined()
  })

  it.each([
    ['goes on', 'task Plan go', 'task Plan go Done next'],
    ['is sent again', 'task Plan go', 'task Plan go'],
    [
      'has a result cleared, and goes on',
      'task Read long Read2 other Read3',
      'task Read cleared Read2 other Read3 more',
    ],
    ['has lost its oldest messages', 'task A a B b C c', 'task B b C c D d'],
    ['takes back words that were answered meanwhile', 'task Plan go reminder', 'task Plan go Done next reminder2'],
  ])('a conversation that %s is the same one', (_, before, now) => {
    const known = [after('task Other way Gone'), after(before)]
    const found = following(known, now)
    expect(found?.known.name).toBe(before)
    expect(found?.parted).toBeUndefined()
  })

  it.each([
    ['goes on otherwise', 'task Plan left Done', 'task Plan right', 2],
    ['is taken up again at an earlier point', 'task Plan go Done', 'task Plan', 2],
    ['gets another last word', 'task Plan left', 'task Plan right', 2],
    ['gets another answer', 'task Plan go Done', 'task Plan go Failed again', 3],
  ])('one that %s parts from it, and knows what was decided before', (_, before, now, shared) => {
    const found = following([after(before)], now)
    expect(entriesOf(found?.parted?.ledger)).toEqual(entriesOf(after(before).ledger).slice(0, shared))
    expect(found?.parted?.ledger).toMatchObject({ lastTokens: 2 * shared, lastOriginalTokens: 3 * shared, marks: [] })
    expect(entriesOf(found?.known.ledger)).toHaveLength(before.split(' ').length)
  })

  it('conversations that part anywhere and come in any order each find their own', () => {
    const order = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 24 })
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 6 }), { minLength: 4, maxLength: 4 }), order, (starts, turns) => {
        const common = ['task', 'A1', 'a1', 'A2', 'a2', 'A3', 'a3']
        const said = starts.map((start) => common.slice(0, start + 1))
        let known: readonly Known[] = [after(common.join(' '), 'common')]
        const met = new Set<number>()
        for (const [turn, who] of turns.entries()) {
          said[who] = [...said[who]!, `w${who}x${turn}`]
          const words = said[who].join(' ')
          const found = following(known, words)
          if (met.has(who)) {
            expect(found?.known.name).toBe(`${who}`)
            expect(found?.parted).toBeUndefined()
          }
          met.add(who)
          const kept = known.filter((other) => found?.parted !== undefined || other !== found?.known)
          known = [after(words, `${who}`), ...kept]
          said[who] = [...said[who], `W${who}x${turn}`]
        }
      }),
      { numRuns: 300 },
    )
  })
})
