import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IntentReport } from './intent-report.ts'
import { intentReports } from './intent-report.ts'
import type { LabelledIntent } from './read-intents.ts'
import { readIntents } from './read-intents.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-intents-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const onInvalid = (error: Error): never => {
  throw error
}

const made = (intent: string, ...words: readonly string[]): readonly LabelledIntent[] =>
  words.map((word) => ({ text: `please ${word} today`, intent }))

const examples = [
  ...made('ferry', 'book a ferry', 'reserve a ferry', 'find a boat across', 'get me on the boat'),
  ...made('weather', 'tell me the weather', 'say whether it rains', 'tell me the rain', 'forecast the weather'),
  { text: 'who won the chess match', intent: 'oos' },
]

function reportOf(requests: readonly LabelledIntent[]): IntentReport {
  const making = intentReports({ name: 'examples', requests: examples }, { name: 'asked', requests })
  for (let step = making.next(); ; step = making.next()) if (step.done === true) return step.value
}

describe('intents that examples find', () => {
  it('of requests with an intent those that find it, of those without the ones that are refused', () => {
    const report = reportOf([
      { text: 'is there a ferry', intent: 'ferry' },
      { text: 'will the weather hold', intent: 'weather' },
      { text: 'the boat across', intent: 'weather' },
      { text: 'quantum chromodynamics', intent: 'oos' },
    ])
    expect(report).toMatchObject({ examples: 8, intents: 2, inScope: 3, outOfScope: 1 })
    for (const { first, amongTen, outOfScopeRecall, auc } of report.methods) {
      expect(first).toBeCloseTo(2 / 3)
      expect(amongTen).toBeLessThanOrEqual(1)
      // Nothing of it is known: it is less sure than any other.
      expect([outOfScopeRecall, auc]).toEqual([1, 1])
    }
  })

  it('without requests of one kind its figures are absent', () => {
    const [ours] = reportOf([{ text: 'a ferry', intent: 'ferry' }]).methods
    expect(ours).toMatchObject({ first: 1, outOfScopeRecall: null, auc: null })
  })

  it('a line without an intent is told with its place', async () => {
    const file = join(folder, 'bad.jsonl')
    writeFileSync(file, `${JSON.stringify({ text: 'a', intent: 'b' })}\n${JSON.stringify({ text: 'a', intent: '' })}\n`)
    await expect(readIntents(file, { onInvalid })).rejects.toThrow(/bad\.jsonl:2 intent: is no text/)
  })
})
