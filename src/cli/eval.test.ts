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
    expect(title).toMatch(/m\.jsonl: 1 conversation of 60 turns, 1 question$/)
    expect(head.split(/\s{2,}/)).toEqual(['evidence kept', '500', '2000'])
    expect(rows[0]).toMatch(/^prehend +100\.0 +100\.0$/)
    expect(out).toMatch(/^the first +0\.0/m)
    expect(out).not.toContain('\u001B')
    const lines = out.split('\n')
    for (const line of lines.slice(2, lines.indexOf('', 2))) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('of two files of intents, the larger one holds the examples', async () => {
    const lines = (...all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('')
    const known = lines(...['a ferry', 'the boat', 'a ship'].map((text) => ({ text, intent: 'sail' })))
    const asked = file('asked.jsonl', lines({ text: 'the ferry', intent: 'sail' }, { text: 'xyzzy', intent: 'oos' }))
    const { code, out } = await run(asked, file('known.jsonl', known))
    expect(code).toBe(0)
    expect(out.replaceAll(/\s+/g, ' ')).toContain('1 requests with an intent, 1 without; 3 examples of 1 intents')
    expect(out).toMatch(/^prehend +100\.0% /m)
    const alone = await run(asked)
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('no other file holds examples')])
  })

  it('a catalogue of tools beside steps of an agent is what those steps are asked of', async () => {
    const tool = { id: 's::book', server: 's', name: 'book', description: 'Books a ferry.', inputSchema: {} }
    const step = { task_id: 't', step: 1, tool: 's::book', last_route_query: 'book a ferry', first_use: true }
    const catalogue = file('catalogue.jsonl', `${JSON.stringify(tool)}\n`)
    const { code, out } = await run(file('steps.jsonl', `${JSON.stringify(step)}\n`), catalogue)
    expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(/1 tool of \d+ tokens, 1 question$/)])
    const outputs = await run(catalogue)
    expect(outputs.out).toContain('tool')
    expect(outputs.out).not.toContain('1 question')
  })

  it('--limit measures the first conversations, and says so', async () => {
    const other = { ...meeting, id: 'm2', queries: [{ ...meeting.queries[0], id: 'q2' }] }
    const data = file('two.jsonl', `${JSON.stringify(meeting)}\n${JSON.stringify(other)}\n`)
    expect((await run(data, '--budget', '500')).out).toMatch(/2 conversations of 120 turns, 2 questions$/m)
    expect((await run(data, '--budget', '500', '--limit', '1')).out).toMatch(/1 conversation of 60 turns, 1 question$/m)
  })

  it('sizes stand once each, the smallest first; one that no pack can have is refused by its option', async () => {
    const data = file('m.jsonl', `${JSON.stringify(meeting)}\n`)
    const { out } = await run(data, '--budget', '2000,500', '--budget', '2000')
    expect(out.split('\n')[2]?.split(/\s{2,}/)).toEqual(['evidence kept', '500', '2000'])
    for (const budget of ['0', '10', '1e12', 'many']) {
      const refused = await run(data, '--budget', budget)
      expect(refused.code).toBe(2)
      expect(refused.err).toMatch(new RegExp(`^prehend: --budget: ${budget} is no size of a pack\\. Give whole`))
    }
  })

  it('what nothing was measured of has no figure', async () => {
    const data = file('m.jsonl', `${JSON.stringify(meeting)}\n`)
    expect((await run(data, '--budget', '500')).out).not.toContain('half ')
    const bare = file(
      'bare.jsonl',
      `${JSON.stringify({ ...meeting, queries: [{ id: 'q', query: 'What?', spans: [] }] })}\n`,
    )
    const refused = await run(bare, '--budget', '500')
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toContain('bare.jsonl: holds no question that can be measured: 1 without evidence')
    const both = await run(data, bare, '--budget', '500')
    expect(both.out).toMatch(/bare\.jsonl: 0 conversations of 0 turns, 0 questions, 1 without evidence\n\n/)
    expect(both.out.match(/^prehend /gm)).toHaveLength(1)
  })

  it('--limit holds for responses, too; definitions of tools are not looked at for orders', async () => {
    const responses = ['a', 'b', 'c'].map((id) => JSON.stringify({ id, schema: {}, example: { id } })).join('\n')
    const { out } = await run(file('r.jsonl', responses), '--limit', '2')
    expect(out).toMatch(/r\.jsonl, 2 outputs$/m)
    expect(out).toMatch(/^taken for orders: 0 of 2 \(0\.0\)$/m)
    const tool = JSON.stringify({ name: 'get', description: 'Gets it.', inputSchema: { type: 'object' } })
    expect((await run(file('t.jsonl', tool))).out).toMatch(/^taken for orders: 0 of 0 \(n\/a\)$/m)
  })

  it('--compare takes no option that two reports cannot follow', async () => {
    const data = file('m.jsonl', `${JSON.stringify(meeting)}\n`)
    const report = file('a.json', (await run(data, '--budget', '500', '--json')).out)
    expect(JSON.parse((await run(data, '--budget', '500', '--json')).out)).toMatchObject({
      policy: 'careful-by-request',
    })
    const refused = await run('--compare', report, report, '--budget', '500')
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('--budget: says nothing of reports that are compared.')
  })

  it('--json can be compared with itself and with another', async () => {
    const data = file('m.jsonl', `${JSON.stringify(meeting)}\n`)
    const { out } = await run(data, '--budget', '500', '--json')
    const after = file('b.json', out)
    const before = file('a.json', out.replace('"passages":[1],"characters":[1]}', '"passages":[0],"characters":[1]}'))
    expect(JSON.parse((await run('--compare', before, after, '--json')).out)).toMatchObject({
      changes: [
        { budget: 500, figure: 'passages', before: 0, after: 1, questions: 1 },
        { budget: 500, figure: 'characters', before: 1, after: 1, questions: 1 },
      ],
    })
    expect((await run('--compare', after, after)).out).toMatch(/100\.0 +100\.0 +\+0\.0 +\+0\.0 to \+0\.0 +unclear/)
  })

  it('recorded sessions and responses are measured as such, in tables of at most 80 columns', async () => {
    const log = Array.from({ length: 60 }, (_, at) => `entry ${at}: nothing to report`).join('\n')
    const messages = [
      { role: 'user', content: 'Find it.' },
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'read', arguments: '{"path":"one.log"}' }] },
      { role: 'tool', tool_call_id: 'a', content: `${log}\nowner is alpha_team_7` },
      { role: 'assistant', content: '', tool_calls: [{ id: 'b', name: 'ask', arguments: '{"team":"alpha_team_7"}' }] },
    ]
    const events = [{ after_message: 2, summary: 'Nothing.', firstKeptEntryIndex: 3 }]
    const sessions = file('s.jsonl', `${JSON.stringify({ id: 's', messages, events })}\n`)
    const value = { id: 's', step: 3, tool: 'ask', needle: 'alpha_team_7', src_tool: [2], src_other: [] }
    const values = file('s.argvalues.jsonl', `${JSON.stringify(value)}\n`)
    const example = Array.from({ length: 9 }, (_, id) => ({ id, name: `row ${id}`, price: id / 8 }))
    const responses = file('r.jsonl', `${JSON.stringify({ id: 'r', schema: {}, example })}\n`)
    const { code, out } = await run(sessions, values, responses, '--budget', '300')
    expect(code).toBe(0)
    expect(out).toMatch(/^values of calls +tokens +kept +lines +do not fit\nsliding-window +300 +0\.0/m)
    expect(out).toMatch(/^prehend:careful +all +100\.0 +100\.0 +0 of 2$/m)
    expect(out).toMatch(/^as recorded +\d+ +0\.0 +0\.0 +0\.0/m)
    expect(out).toMatch(/^JSON in another form: 1 documents, 1 exact; 27 values, 0 lost;/m)
    for (const line of out.split('\n').filter((one) => /^\S.* {2}/.test(one)))
      expect(line.length).toBeLessThanOrEqual(80)
    const report = JSON.parse((await run(sessions, responses, '--budget', '300', '--json')).out) as object
    expect(Object.keys(report)).toEqual([
      'schema',
      'policy',
      'labelled',
      'tasks',
      'suspicions',
      'spans',
      'intents',
      'sessions',
      'outputs',
      'skipped',
    ])
  })

  it('P-075: of tasks whose answers are known it says what each section is worth, as a weight; the same bytes every time', async () => {
    const item = (section: 'evidence' | 'memory', text: string) =>
      section === 'memory'
        ? { id: text, section, kind: 'memory', text }
        : { id: text, section, kind: 'evidence', text, provenance: { sourceId: text } }
    const task = (id: string, ...answers: readonly string[]) => ({
      id,
      request: 'When?',
      answers,
      items: [
        item('evidence', 'It leaves at seven.'),
        item('memory', 'From Piombino.'),
        item('memory', 'Likes boats.'),
      ],
    })
    const tasks = [task('1', 'seven'), task('2', 'seven', 'Piombino'), task('3', 'seven'), task('4', 'nine')]
    const data = file('k.jsonl', tasks.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const { code, out } = await run(data)
    expect(code).toBe(0)
    expect(out).toMatch(/k\.jsonl: 4 tasks in 1000 tokens, 75\.0% of their answers in the pack/)
    expect(out).toMatch(/^evidence +4 +0\.625 +1\.00$/m)
    expect(out).toMatch(/^memory +4 +0\.125 +0\.20$/m)
    expect((await run(data, '--json')).out).toBe((await run(data, '--json')).out)
    const broken = file('l.jsonl', `${JSON.stringify({ ...task('1', 'a'), items: [{ id: '', section: 'memory' }] })}\n`)
    expect((await run(broken)).err).toMatch(/l\.jsonl:1: items\[0\]/)
    expect((await run(file('m.jsonl', `${JSON.stringify(task('1'))}\n`))).err).toMatch(/m\.jsonl:1 answers: is empty/)
  })

  it('says how far it is where somebody looks, and stops when it is interrupted', async () => {
    const data = file('m.jsonl', `${JSON.stringify(meeting)}\n`)
    const io = fakeIo({ errIsTerminal: true })
    expect(await runCli(['eval', data, '--budget', '500'], io)).toBe(0)
    expect(io.written.err).toContain('1 of 1 questions')
    const stopped = fakeIo()
    stopped.interrupt()
    expect(await runCli(['eval', data], stopped)).toBe(130)
    expect(stopped.written.out).toBe('')
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

  it('does not advise to skip lines where no other can be read, and says what it recognised in recorded traffic', async () => {
    const broken = file('all.jsonl', '{"id": 2, "turns": 7, "queries": []}\n{\n')
    expect((await run(broken, '--budget', '500')).err).not.toContain('--skip-invalid')
    const cut = file('cut.json', '[\n  {"model": "gpt-5.1",\n   "input": "Wh')
    expect((await run(cut)).err).toMatch(/cut\.json:3: the document is cut off/)
    const body = { model: 'gpt-5.1', input: 'Why?' }
    const batch = file('batch.jsonl', JSON.stringify({ custom_id: 'r', url: '/v1/responses', body }))
    const { code, err } = await run(batch)
    expect([code, err]).toEqual([0, expect.stringContaining('batch.jsonl: OpenAI batch input, 1 request')])
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
