import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PackBaseline } from '../inspect/index.ts'
import type { CheckedPacks } from './check-packs-report.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const session = resolve(import.meta.dirname, '../../examples/session.jsonl')
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-check-packs-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...argv: readonly string[]) {
  const io = fakeIo()
  const code = await runCli(['check-packs', session, ...argv], io)
  return { code, ...io.written }
}

const told = (out: string) => JSON.parse(out) as CheckedPacks
const verdicts = (out: string) => new Map(told(out).checks?.map(({ name, verdict }) => [name, verdict]))

it('P-085: a baseline holds against the same policy, and shows how quality lies over all packs', async () => {
  const file = join(folder, 'same.json')
  expect((await run('--baseline', file, '--update')).code).toBe(0)
  const first = readFileSync(file, 'utf8')
  const baseline = JSON.parse(first) as PackBaseline
  expect(baseline).toMatchObject({
    schema: 'prehend.check-packs/1',
    policy: { id: 'balanced' },
    traces: 1,
    requests: 46,
  })
  const again = await run('--baseline', file, '--json')
  expect([again.code, new Set(verdicts(again.out).values())]).toEqual([0, new Set(['same'])])
  const spread = told(again.out).spreads.find(({ measure }) => measure === 'surface')
  expect(spread).toMatchObject({ packs: 46, judged: 46, breaches: expect.any(Number) })
  expect(baseline.figures['surface']).toBe(spread?.median)
  await run('--baseline', file, '--update')
  expect(readFileSync(file, 'utf8')).toBe(first)
})

it('fails a build whose policy costs more or keeps less than its bounds allow, and says what', async () => {
  const file = join(folder, 'worse.json')
  await run('--baseline', file, '--update')
  const written = JSON.parse(readFileSync(file, 'utf8')) as PackBaseline
  const { cost = 0, lineRecall = 0 } = written.figures
  const better = {
    ...written,
    figures: { ...written.figures, cost: (cost ?? 0) - 0.05, lineRecall: (lineRecall ?? 0) + 0.2 },
  }
  writeFileSync(file, JSON.stringify(better))
  const { code, out } = await run('--baseline', file)
  expect([code, out]).toEqual([1, expect.stringContaining('Worse than allowed: cost, lineRecall.')])
  const bounds = ['--bound', 'cost=0.06', '--bound', 'lineRecall=0.3']
  expect((await run('--baseline', file, ...bounds)).code).toBe(0)
  const dearer = await run('--baseline', file, '--policy', 'thrifty', '--json')
  expect(verdicts(dearer.out).get('lineRecall')).toBe('worse')
})

it('a figure that is not measured any more is no improvement', async () => {
  const file = join(folder, 'gone.json')
  await run('--baseline', file, '--update')
  const written = JSON.parse(readFileSync(file, 'utf8')) as PackBaseline
  writeFileSync(file, JSON.stringify({ ...written, figures: { ...written.figures, provenance: 1 } }))
  const { code, out } = await run('--baseline', file)
  expect([code, out]).toEqual([1, expect.stringContaining('provenance')])
})

it.each([
  [['--update'], '--update has no file'],
  [['--baseline', 'nowhere.json'], '--baseline: there is no nowhere.json'],
  [['--bound', 'costs=1'], '--bound: there is no figure costs. Did you mean cost?'],
  [['--bound', 'cost=x'], '--bound: cost=x is no bound'],
])('bad options are named: %j', async (argv, message) => {
  const { code, err } = await run(...argv)
  expect(code).toBe(2)
  expect(err.replaceAll(/\s+/g, ' ')).toContain(message.replace('--update has', '--update: has'))
})

it('other traffic than the baseline’s, and what is no baseline, are refused', async () => {
  const file = join(folder, 'other.json')
  await run('--baseline', file, '--update')
  const { code, err } = await run('--baseline', file, '--window', '50000')
  expect([code, err]).toEqual([2, expect.stringContaining('windowTokens')])
  writeFileSync(file, '{"figures":{}}')
  expect((await run('--baseline', file)).err).toContain('is no baseline of packs')
})
