import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { PackComparison } from '../inspect/packs/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-diff-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...argv: readonly string[]) {
  const io = fakeIo({ columns: 100 })
  const code = await runCli([...argv], io)
  return { code, out: io.written.out, err: io.written.err }
}

const document = (name: string, texts: readonly string[]): string => {
  const path = join(folder, `${name}.json`)
  const items = texts.map((text, at) => {
    return { id: `e${at}`, section: 'evidence', kind: 'evidence', text, provenance: { sourceId: 'wiki' } }
  })
  const frame = { request: 'When?' }
  writeFileSync(path, JSON.stringify({ schema: 'prehend.compile/1', items, budget: { windowTokens: 4_000 }, frame }))
  return path
}

const monday = document('monday', ['It broke on Monday.', 'It rained.'])
const sunday = document('sunday', ['It broke on Sunday night, at ten.', 'It rained.', 'It snowed.'])
const session = resolve(import.meta.dirname, '../../examples/session.jsonl')

describe('prehend diff', () => {
  it('tells what changed between two documents, and ends in 1; of the same in 0', async () => {
    const { code, out } = await run('diff', monday, sunday)
    expect(code).toBe(1)
    expect(out).toMatch(/^tokens {5}\d+ -> \d+ \(\+\d+\), utilisation/)
    expect(out).toContain('1 added, 0 removed, 1 shown otherwise, 1 of all candidates edited')
    expect(out).toMatch(/e2 +evidence +not there +full \d+ \(fits\)/)
    expect(await run('diff', monday, monday)).toEqual({ code: 0, out: 'the same pack\n', err: '' })
  })

  it('takes manifests that were written by prehend compile', async () => {
    const manifests = await Promise.all(
      [monday, sunday].map(async (path) => {
        const manifest = `${path}.manifest`
        expect((await run('compile', path, '--manifest', manifest)).code).toBe(0)
        return manifest
      }),
    )
    const { code, out } = await run('diff', ...manifests, '--json')
    expect(code).toBe(1)
    const { delta, decisions } = JSON.parse(out) as PackComparison
    expect(Object.keys(delta.modified)).toEqual(['evidence'])
    expect(decisions.map(({ itemId, edited }) => [itemId, edited])).toEqual([
      ['e0', true],
      ['e2', false],
    ])
  })

  it('takes requests of a trace by their numbers, packed as a session packs them', async () => {
    const { code, out } = await run('diff', '--trace', session, '3', '9', '--json')
    expect(code).toBe(1)
    const { delta, packTokens } = JSON.parse(out) as PackComparison
    expect(delta.changedCategories).toContain('history')
    expect(packTokens.delta).toBeGreaterThan(1_000)
    expect((await run('diff', '--trace', session, '9', '9')).out).toBe('the same pack\n')
    const { out: tight } = await run('diff', '--trace', session, '3', '9', '--json', '--budget', '3000')
    expect((JSON.parse(tight) as PackComparison).packTokens.after).toBeLessThan(packTokens.after)
  })

  it('names what is wrong with what it is given', async () => {
    expect((await run('diff', '--trace', session, '3', '999')).err).toMatch(/has \d+ requests, and no number 999/)
    expect((await run('diff', '--trace', session, 'three', '4')).err).toContain('three: is no number of a request')
    const { code, err } = await run('diff', 'req_nowhere', monday, '--data', join(folder, 'nowhere'))
    expect([code, err.includes('Start a gateway first')]).toEqual([4, true])
    expect((await run('diff', monday)).code).toBe(2)
  })
})
