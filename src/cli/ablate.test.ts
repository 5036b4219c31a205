import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Ablation } from '../inspect/packs/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-ablate-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...argv: readonly string[]) {
  const io = fakeIo({ columns: 100 })
  const code = await runCli([...argv], io)
  return { code, out: io.written.out, err: io.written.err }
}

const file = join(folder, 'document.json')
const items = [
  ...['a', 'b', 'c'].map((id) => {
    const text = `${id} was seen here. `.repeat(80)
    return { id, section: 'evidence', kind: 'evidence', text, provenance: { sourceId: 'wiki' } }
  }),
  { id: 'm', section: 'memory', kind: 'memory', text: 'The user is Ada. '.repeat(90) },
]
const budget = { windowTokens: 1_700, sections: [{ section: 'memory', min: 300 }] }
writeFileSync(file, JSON.stringify({ schema: 'prehend.compile/1', items, budget, frame: { request: 'When?' } }))

it('prehend ablate says of each section what leaving it out frees, and what it lets in', async () => {
  const { code, out } = await run('ablate', file, '--json')
  expect(code).toBe(0)
  const { by, ablations } = JSON.parse(out) as { readonly by: string; readonly ablations: readonly Ablation[] }
  expect([by, ablations.map(({ name }) => name)]).toEqual(['section', ['evidence', 'memory']])
  expect(ablations[1]?.displaced?.length).toBeGreaterThan(0)
  const { out: table } = await run('ablate', file)
  expect(table).toMatch(/^section +items +tokens freed +let in/)
  expect(table).toMatch(/^memory +1 +-?\d+ +1/m)
})

it('prehend ablate takes single items, and names what is not there', async () => {
  const { out } = await run('ablate', file, '--by', 'item', '--only', 'a', '--json')
  expect(
    (JSON.parse(out) as { readonly ablations: readonly Ablation[] }).ablations.map(({ itemIds }) => itemIds),
  ).toEqual([['a']])
  const { code, err } = await run('ablate', file, '--only', 'evidnce')
  expect([code, err.includes('the input has no section "evidnce"')]).toEqual([2, true])
  const receipt = join(folder, 'receipt.json')
  writeFileSync(receipt, JSON.stringify({ manifest: { decisions: [] } }))
  expect((await run('ablate', receipt)).err).toContain('does not hold its input')
})
