import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InjectionDetector } from '../../core/index.ts'
import { readSuspects } from './read-suspects.ts'
import { suspicionReport } from './suspicion-report.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-suspects-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const lengths: InjectionDetector = { id: 'length', score: (text) => ({ score: text.length / 10, reasons: [] }) }
const named = [{ name: 'length', detector: lengths, threshold: 0.5 }]
const texts = [
  { id: 'a', source: 'mail', text: 'x'.repeat(9), label: 1 },
  { id: 'b', source: 'mail', text: 'x'.repeat(3), label: 1 },
  { id: 'c', source: 'mail', text: 'x'.repeat(3), label: 0 },
  { id: 'd', source: 'web', text: 'x'.repeat(6), label: 0 },
]
const fileOf = (lines: readonly object[]): string => {
  const file = join(folder, `${lines.length}.jsonl`)
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  return file
}
const fail = (error: Error): never => {
  throw error
}

describe('texts of which somebody has said whether they hold orders', () => {
  it('of each source: the benign that are flagged, the attacks that are found, and how often an attack scores above a benign text', async () => {
    const read = await readSuspects(fileOf(texts), { onInvalid: fail })
    const [{ sources } = { sources: [] }] = suspicionReport('f', read, named).detectors
    expect(sources).toEqual([
      // Of four pairs one attack is above both, one equal to one and below the other: 2.5 of 4.
      { source: 'all', benign: 2, attacks: 2, flagged: 0.5, found: 0.5, auc: 0.625 },
      { source: 'mail', benign: 1, attacks: 2, flagged: 0, found: 0.5, auc: 0.75 },
      { source: 'web', benign: 1, attacks: 0, flagged: 1, found: null, auc: null },
    ])
  })

  it('a label that is neither is told with its line', async () => {
    const file = fileOf([...texts, { id: 'e', text: 'x', label: 2 }])
    await expect(readSuspects(file, { onInvalid: fail })).rejects.toThrow(/5\.jsonl:5 label: is neither 0 nor 1/)
  })
})
