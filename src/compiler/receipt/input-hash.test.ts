import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { CompileInput, ConversationLedger, LedgerEntry } from '../../core/index.ts'
import { ledgerSchema } from '../../core/index.ts'
import { careful } from '../policy/policies.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { inputHasher } from './input-hash.ts'

const entryOf = (index: number): LedgerEntry => ({
  key: hash('sha256', `entry ${index}`),
  rung: 'trimmed',
  text: `What is left of result ${index}.`,
  tokens: 9,
  originalTokens: 900,
})

const list: CandidateList = {
  candidates: [],
  version: 1,
  unchanged: 0,
  sections: [],
  pins: [],
  repeats: false,
  grouped: false,
  bodiless: false,
  linked: false,
  called: false,
  scoped: false,
}

function inputWith(entries: readonly LedgerEntry[]): CompileInput {
  const ledger: ConversationLedger = {
    schema: ledgerSchema,
    layout: 'messages',
    epoch: 0,
    policyId: careful.id,
    entries,
    turns: 1,
    lastTokens: 0,
    lastOriginalTokens: 0,
    account: { passThrough: 0, actual: 0 },
    marks: [],
    regret: 0,
    rehydrations: 0,
  }
  return { items: [], budget: { windowTokens: 1000 }, policy: careful, layout: 'messages', ledger }
}

describe('the hash of an input', () => {
  it('hashes of a ledger that grew no more than what is new', () => {
    let characters = 0
    const hashOf = inputHasher((text) => {
      characters += text.length
      return hash('sha256', text)
    }, 'any')
    const entries = Array.from({ length: 2000 }, (_, index) => entryOf(index))
    hashOf(inputWith(entries), list)
    const first = characters
    characters = 0
    const grown = hashOf(inputWith([...entries, entryOf(2000)]), list)
    expect(characters).toBeLessThan(first / 10)
    const anew = inputHasher((text) => hash('sha256', text), 'any')
    expect(anew(inputWith([...entries, entryOf(2000)]), list)).toBe(grown)
  })

  it('is another one where any entry says something else, also one in the middle or one less', () => {
    const hashOf = inputHasher((text) => hash('sha256', text), 'any')
    const entries = Array.from({ length: 100 }, (_, index) => entryOf(index))
    const whole = hashOf(inputWith(entries), list)
    const changed = entries.with(50, { ...entryOf(50), tokens: 10 })
    expect(hashOf(inputWith(changed), list)).not.toBe(whole)
    expect(hashOf(inputWith(entries), list)).toBe(whole)
    expect(hashOf(inputWith(entries.slice(0, 99)), list)).not.toBe(whole)
    expect(hashOf(inputWith(entries), list)).toBe(whole)
  })
})
