import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const filler = (at: number): string => `Point ${at} of the agenda was read out, and nobody had anything to add to it.`
const meeting = {
  id: 'm1',
  turns: Array.from({ length: 60 }, (_, at) => ({
    speaker: ['Ann', 'Ben'][at % 2],
    text: at === 30 ? 'I would like the remote control in yellow rubber.' : filler(at),
  })),
  queries: [{ id: 'q1', query: 'What should the remote control look like?', spans: [[30, 30]] }],
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-eval-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

async function run(...argv: readonly string[]) {
  const io = fakeIo({ errIsTerminal: true })
  const code = await runCli(['eval', ...argv], io)
  return { code, ...io.written, err: io.written.err.replaceAll(/\r[^\r]*(?=\r)/g, '') }
}

describe('prehend eval', () => {
  it('prints one table of at most 80 columns, without colour, with the others beside ours', async () => {
    const { code, out } = await run(file('m.jsonl', `${JSON.stringify(meeting)}\n`), '--budget', '500,2000')
    expect(code).toBe(0)
    const [title = '', , head = '', ...rows] = out.split('\n')
    expect(title).toMatch(/m\.jsonl: 1 conversations of 60 turns, 1 questions$/)
    expect(head.split(/\s{2,}/)).toEqual(['evidence kept', '500', '2000'])
    expect(rows[0]).toMatch(/^prehend +100\.0 +100\.0$/)
    expect(out).toMatch(/^the first +0\.0/m)
    expect(out).not.toContain('\u001B')
    const table = out.split('\n').slice(2, 14)
    for (const line of table) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('--json can be compared with itself and with another', async () => {
    const data = file('m.jsonl', `${JSON.stringify(meeting)}\n`)
    const { out } = await run(data, '--budget', '500', '--json')
    const after = file('b.json', out)
    const before = file('a.json', out.replace(/"passages":\[1\]\}/, '"passages":[0]}'))
    expect(JSON.parse((await run('--compare', before, after, '--json')).out)).toMatchObject({
      changes: [{ budget: 500, figure: 'evidence', before: 0, after: 1, questions: 1 }],
    })
    expect((await run('--compare', after, after)).out).toMatch(/100\.0 +100\.0 +\+0\.0 +\+0\.0 to \+0\.0 +unclear/)
  })

  it('the same run prints the same bytes', async () => {
    const data = file('m.jsonl', `${JSON.stringify(meeting)}\n`)
    expect((await run(data, '--json')).out).toBe((await run(data, '--json')).out)
  })

  it('a line that cannot be read is told with its place and what to do; --skip-invalid counts it', async () => {
    const broken = file('b.jsonl', `${JSON.stringify(meeting)}\n{"id": 2, "turns": 7, "queries": []}\n{\n`)
    const told = await run(broken, '--budget', '500')
    expect(told.code).not.toBe(0)
    expect(told.err).toMatch(/b\.jsonl:2: has no known shape.*--skip-invalid/s)
    const skipped = await run(broken, '--budget', '500', '--skip-invalid', '--json')
    expect(skipped.code).toBe(0)
    expect(JSON.parse(skipped.out)).toMatchObject({ skipped: 2, labelled: [{ questions: 1 }] })
  })

  it.each([
    [['--budget', '20'], /--budget.*20 is no size.*300/],
    [['--policy', 'nope'], /--policy/],
  ])('%j is an error that names the option', async (options, message) => {
    const { code, err } = await run(file('m.jsonl', `${JSON.stringify(meeting)}\n`), ...options)
    expect(code).not.toBe(0)
    expect(err).toMatch(message)
  })

  it('files without a question, and reports that are none, are told', async () => {
    const documents = file('d.jsonl', '{"id":"a","title":"b","text":"c"}\n')
    expect((await run(documents)).err).toMatch(/holds no question/)
    expect((await run('--compare', documents, documents)).err).toMatch(/d\.jsonl: is no report/)
    expect((await run('--compare', documents)).err).toMatch(/--compare: takes two reports, not 1/)
  })
})
