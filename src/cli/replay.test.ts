import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversationsAs, policies } from '../compiler/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const example = 'examples/session.jsonl'
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-replay-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...argv: readonly string[]) {
  const io = fakeIo()
  const code = await runCli(['replay', ...argv], io)
  return { code, ...io.written }
}

const columns = [
  'name',
  'tokens',
  'tokenRatio',
  'cachedShare',
  'breaks',
  'cost',
  'dollars',
  'costRatio',
  'billDollars',
  'billRatio',
  'uncachedCost',
  'cachingSaves',
  'leastTraceCachingSaves',
  'medianTraceBillRatio',
  'cheaperTraces',
  'worstTraceCostRatio',
  'settledCostRatio',
  'worstTraceSettledRatio',
  'rehydrations',
  'settledAllCostRatio',
  'worstTraceSettledAllRatio',
  'rehydrationsAll',
  'needleRecall',
  'needleLineRecall',
  'ownCallLineRecall',
  'editTextRecall',
  'editOnePlaceRecall',
  'newFileTextRecall',
  'editInOnePieceRecall',
  'assistantTextRecall',
  'recallUses',
  'recallByAge',
  'recallWhereShortened',
  'recallByCompactions',
  'compactions',
  'meanRequestTokens',
  'largestRequestTokens',
  'repeatedShare',
  'rereadShare',
  'referencesAmbiguous',
  'unreadLinesReplaced',
  'failuresHidden',
  'unpacked',
  'refused',
  'p50Ms',
  'p99Ms',
  'perStep',
  'wholeBill',
  'savings',
]

interface Report {
  readonly traces: number
  readonly requests: number
  readonly provider: string
  readonly strategies: readonly Record<string, unknown>[]
}

const reportOf = async (...argv: readonly string[]): Promise<Report> =>
  JSON.parse((await run(...argv, '--json')).out) as Report

/** Of each row of the tables of a page. */
function cellsOf(page: string): readonly (readonly string[])[] {
  const rows = page.split('\n').filter((line) => line.startsWith('|'))
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

describe('prehend replay', () => {
  it('--json has exactly the members that it promises, for every strategy', async () => {
    const report = await reportOf(example)
    expect(Object.keys(report)).toEqual(['traces', 'requests', 'provider', 'strategies', 'skipped', 'unanswered'])
    expect(report).toMatchObject({ traces: 1, requests: 46, provider: 'gpt-5.1' })
    for (const row of report.strategies) expect(Object.keys(row)).toEqual(columns)
    expect(report.strategies.map((row) => row['name'])).toEqual([
      'pass-through',
      'keep-last-10',
      'batch-mask-30-10',
      'sliding-window',
      'prehend:careful',
      'prehend:balanced',
      'prehend:thrifty',
    ])
  })

  describe('in a window that is too small', () => {
    const small = ['--window', '16000'] as const

    it('breaks the cache a few times and not at every request, and costs no more than half of what breaking it always does', async () => {
      const names = ['prehend:careful', 'sliding-window-16000', 'keep-last-10']
      const { strategies } = await reportOf(example, ...small, '--strategy', names.join(','))
      const [careful, sliding, kept] = strategies
      expect(careful!['tokenRatio']).toBeLessThan(0.75)
      expect(careful!['breaks']).toBeLessThanOrEqual(3)
      for (const other of [sliding, kept])
        expect(careful!['settledAllCostRatio']).toBeLessThan(0.7 * Number(other!['settledAllCostRatio']))
    })

    it('what a policy refuses to pack is counted, by what forbade it, and stands in the table', async () => {
      const named = ['--strategy', 'prehend:quality-first,prehend:thrifty'] as const
      const { strategies } = await reportOf(example, ...small, ...named)
      const [quality, thrifty] = strategies
      expect(quality!['unpacked']).toEqual({ 'budget-exhausted': 23 })
      expect([quality!['refused'], thrifty!['unpacked'], thrifty!['refused']]).toEqual([23, {}, 0])
      expect((await run(example, ...small, ...named)).out).toMatch(/unpacked\n/)
      expect((await run(example, ...named)).out).not.toMatch(/unpacked\n/)
    })

    it('A-066: every policy that comes with the product, side by side, as docs/policies/side-by-side.md has them; the best and the cheapest differ', async () => {
      const names = Object.keys(policies).map((name) => `prehend:${name}`)
      const { strategies } = await reportOf(
        example,
        ...small,
        '--provider',
        'plain',
        '--strategy',
        ['pass-through', ...names].join(','),
      )
      const page = readFileSync('docs/policies/side-by-side.md', 'utf8')
      const percent = (value: unknown) => `${(Number(value) * 100).toFixed(1)}%`
      for (const row of strategies) {
        const name = String(row['name']).replace('prehend:', '')
        const ratios = [row['costRatio'], row['settledAllCostRatio']].map((value) => Number(value).toFixed(3))
        const shares = [row['needleLineRecall'], row['editTextRecall']].map(percent)
        const cells = [`\`${name}\``, row['tokens'], ...ratios, row['breaks'], ...shares, row['refused']].map(String)
        expect(cellsOf(page)).toContainEqual(cells)
      }
      const tokens = (name: string) => Number(strategies.find((row) => row['name'] === `prehend:${name}`)?.['tokens'])
      expect(tokens('cost-first')).toBeLessThan(tokens('quality-first') * 0.6)
      const figures = (name: string) => {
        const { name: _, p50Ms, p99Ms, ...row } = strategies.find((each) => each['name'] === `prehend:${name}`) ?? {}
        expect([typeof p50Ms, typeof p99Ms]).toEqual(['number', 'number'])
        return row
      }
      for (const [name, other] of Object.entries({ ...conversationsAs, governor: 'careful' }))
        expect(figures(name)).toEqual(figures(other))
    })

    it('takes a policy by its name or its file, and says which there are', async () => {
      const file = join(folder, 'house.json')
      writeFileSync(
        file,
        '{ "extends": "careful", "id": "house", "version": "1.0.0", "epochs": { "lowestRung": "line" } }',
      )
      const { strategies } = await reportOf(example, '--strategy', `prehend:careful,prehend:${file}`)
      const [careful, house] = strategies
      expect(house!['tokens']).toBeLessThan(Number(careful!['tokens']))
      const { code, err } = await run(example, '--strategy', 'prehend:carefull')
      expect(code).toBe(2)
      expect(err).toContain('Did you mean careful?')
    })
  })

  it('loses nothing and saves nothing in pass-through', async () => {
    const { strategies } = await reportOf(example, '--strategy', 'pass-through')
    expect(strategies).toHaveLength(1)
    expect(strategies[0]).toMatchObject({
      costRatio: 1,
      tokenRatio: 1,
      breaks: 0,
      needleLineRecall: 1,
      rehydrations: 0,
    })
  })

  it('the example session costs less with either profile, settled too, and careful keeps most lines', async () => {
    const { strategies } = await reportOf(example, '--strategy', 'prehend:careful,prehend:thrifty')
    for (const row of strategies) {
      expect(row['costRatio']).toBeLessThan(1)
      expect(row['settledCostRatio']).toBeLessThan(1)
    }
    expect(strategies[0]?.['needleLineRecall']).toBeGreaterThanOrEqual(0.85)
  })

  it('prints a table without --json', async () => {
    const { code, out } = await run(example, '--strategy', 'keep-last-5')
    expect(code).toBe(0)
    expect(out).toContain('1 trace, 46 requests, billed by the rules of gpt-5.1\n')
    expect(out).toMatch(/^keep-last-5 /m)
  })

  it.each(['anthropic', 'openai', 'deepseek'])('bills by the rules of %s', async (provider) => {
    const report = await reportOf(example, '--provider', provider, '--strategy', 'pass-through')
    expect(report.provider).toBe(provider)
    expect(report.strategies[0]?.['cachedShare']).toBeGreaterThan(0.8)
  })

  it('bills by the plain rule where it is asked to, and where no model is named or known', async () => {
    const unnamed = join(folder, 'unnamed.jsonl')
    writeFileSync(unnamed, readFileSync(example, 'utf8').replace('"model":"gpt-5.1",', ''))
    const unknown = join(folder, 'unknown.jsonl')
    writeFileSync(unknown, readFileSync(example, 'utf8').replace('"model":"gpt-5.1"', '"model":"nobody-knows-it"'))
    for (const asked of [[example, '--provider', 'plain'], [unnamed], [unknown]])
      expect((await reportOf(...asked, '--strategy', 'pass-through')).provider).toBe('plain')
  })

  it('sets plain prices', async () => {
    const { strategies } = await reportOf(
      example,
      '--price-read',
      '1',
      '--price-write',
      '1',
      '--strategy',
      'pass-through',
    )
    expect(strategies[0]?.['cost']).toBe(strategies[0]?.['tokens'])
  })

  it('gives null where there is nothing to measure', async () => {
    const file = join(folder, 'bare.jsonl')
    writeFileSync(
      file,
      JSON.stringify({
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: 'y' },
        ],
      }),
    )
    const { strategies } = await reportOf(file, '--strategy', 'pass-through')
    expect(strategies[0]).toMatchObject({
      needleRecall: null,
      needleLineRecall: null,
      settledCostRatio: null,
      rehydrations: null,
    })
    expect((await run(file, '--strategy', 'pass-through')).out).toContain('n/a')
  })

  it('leaves out needle files that a pattern named along with their traces', async () => {
    const report = await reportOf(example, 'examples/session.needles.jsonl', '--strategy', 'pass-through')
    expect(report).toMatchObject({ traces: 1, strategies: [{ needleRecall: 1 }] })
  })

  it('--find-needles finds what the file beside the example holds', async () => {
    const file = join(folder, 'copy.jsonl')
    copyFileSync(example, file)
    const found = await reportOf(file, '--find-needles', '--strategy', 'keep-last-5')
    const recorded = await reportOf(example, '--strategy', 'keep-last-5')
    expect(found.strategies[0]?.['needleRecall']).toBe(recorded.strategies[0]?.['needleRecall'])
    expect(found.strategies[0]?.['rehydrations']).toBe(recorded.strategies[0]?.['rehydrations'])
  })

  it('--limit takes the first traces of each file', async () => {
    const file = join(folder, 'two.jsonl')
    const row = JSON.stringify({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'y' },
      ],
    })
    writeFileSync(file, `${row}\n${row}\n`)
    expect(await reportOf(file, file, '--limit', '1', '--strategy', 'pass-through')).toMatchObject({
      traces: 2,
    })
  })

  it.each([
    [2, ['--strategy', 'keep-lsat-10'], 'Did you mean keep-last-10?'],
    [2, ['--provider', 'antropic'], 'Did you mean anthropic?'],
    [2, ['--model', 'no-such-model'], 'the cache rules or prices of no-such-model are not known'],
    [2, ['--price-read', '-1'], '--price-read: "-1" will not do'],
    [2, ['--limit', '0'], '--limit: "0" will not do'],
  ])('exits with %d for %j', async (expected, argv, message) => {
    const { code, err } = await run(example, ...argv)
    expect(code).toBe(expected)
    expect(err).toContain(message)
  })

  it('tells the money where the prices of the model are known, and nothing of it where they are not', async () => {
    const priced = await run(example, '--model', 'claude-sonnet-5', '--strategy', 'pass-through')
    expect(priced.out).toMatch(/^strategy .* money .* bill .*\npass-through .* \$\d+\.\d+ /m)
    const plain = await run(example, '--provider', 'plain', '--strategy', 'pass-through')
    expect(plain.out).not.toMatch(/money|^strategy .* bill /m)
  })

  it('is readable on 80 columns, progress included, and loses nothing there', async () => {
    const io = fakeIo({ columns: 80, errIsTerminal: true })
    const long = join(folder, `${'a-long-name-'.repeat(10)}.jsonl`)
    copyFileSync(example, long)
    const asked = ['replay', long, '--provider', 'anthropic', '--strategy', 'prehend:careful', '--wide']
    expect(await runCli(asked, io)).toBe(0)
    for (const line of io.written.out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    // A name stays in one piece where what is said of the file stays on the screen.
    for (const line of io.written.err.split(/[\r\n]/)) if (!line.includes(long)) expect(line.length).toBeLessThan(80)
    for (const title of ['tokens', 'money', 'cost max', 'settled max', 'p99 ms'])
      expect(io.written.out).toContain(title)
  })

  it('has nine columns at most, each explained, and all of them where they are asked for', async () => {
    const few = ['--window', '16000', '--strategy', 'pass-through,prehend:quality-first']
    const titlesOf = (out: string): readonly string[] => (/^strategy .*$/m.exec(out)?.[0] ?? '').trim().split(/ {2,}/)
    for (const billing of [
      ['--model', 'claude-sonnet-5'],
      ['--provider', 'plain'],
    ]) {
      const { out } = await run(example, ...few, ...billing)
      const titles = titlesOf(out)
      expect(titles.length).toBeLessThanOrEqual(9)
      expect(titles).toEqual(expect.arrayContaining(['cost', 'settled all', 'lines', 'edits', 'refused']))
      for (const title of titles.slice(1)) expect(out).toMatch(new RegExp(`^${title}: `, 'm'))
      expect(out).not.toMatch(/p99|settled max/)
      const wide = await run(example, ...few, ...billing, '--wide')
      expect(titlesOf(wide.out).length).toBeGreaterThan(17)
      expect(titlesOf(wide.out)).toEqual(expect.arrayContaining([...titles]))
    }
  })

  describe('lines that cannot be read', () => {
    const request = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'x' }] })
    const embedding = JSON.stringify({ model: 'text-embedding-3', input: 'x' })
    const halfRead = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'y' }, { role: 'robot' }] })

    it('--skip-invalid passes over them and says how many there were', async () => {
      const file = join(folder, 'mixed.jsonl')
      writeFileSync(file, `\uFEFF${request}\n${embedding}\nno JSON\n[]\n${halfRead}\n`)
      const { code, out, err } = await run(file, '--skip-invalid', '--strategy', 'pass-through')
      expect(code).toBe(0)
      expect(out).toContain(
        '1 trace, 1 request, billed by the rules of gpt-5; 4 lines could not be read and were left out',
      )
      expect(err).toContain(
        `prehend: 4 left out; the first: ${file}:2: is of no form that is known (it has model, input)`,
      )
      const report = await reportOf(file, '--skip-invalid', '--strategy', 'pass-through')
      expect(report).toMatchObject({ traces: 1, requests: 1, skipped: 4 })
    })

    it('are an error that says so without it', async () => {
      const file = join(folder, 'mixed.jsonl')
      writeFileSync(file, `${request}\n${embedding}\n`)
      const { code, err } = await run(file)
      expect(code).toBe(2)
      expect(err).toMatch(/:2: is of no form .*, or pass over such lines with --skip-invalid\n$/)
    })

    it('and nothing else are still an error, which does not advise to skip them', async () => {
      const file = join(folder, 'none.jsonl')
      writeFileSync(file, `${embedding}\n${embedding}\n`)
      const plain = await run(file)
      expect([plain.code, plain.err]).toEqual([2, expect.stringContaining(':1: is of no form that is known')])
      expect(plain.err).not.toContain('--skip-invalid')
      const skipped = await run(file, '--skip-invalid')
      expect([skipped.code, skipped.err]).toEqual([
        2,
        expect.stringMatching(/:1: is of no form.*None of the 2 records/),
      ])
    })
  })

  it('says which form it recognised, how many requests it holds, and what the file lacks', async () => {
    const file = join(folder, 'rollout.jsonl')
    const message = (role: string, text: string): object => ({
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
    })
    const lines = [
      { type: 'session_meta', payload: { id: 'x' } },
      { type: 'turn_context', payload: { model: 'gpt-5.1' } },
      message('user', 'Why does the build fail?'),
      message('assistant', 'It is x.'),
    ]
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    const { code, out, err } = await run(file, '--strategy', 'pass-through')
    expect(code).toBe(0)
    expect(out).toContain('1 trace, 1 request, billed by the rules of gpt-5.1')
    expect(err).toBe(
      `prehend: ${file}: Codex rollout, 1 request, without system prompt and tools, which the file does not hold\n`,
    )
  })

  describe('sessions of agents', () => {
    const line = (uuid: string, parentUuid: string | null, more: object): object => {
      return { uuid, parentUuid, sessionId: 's', timestamp: '2026-11-28T10:00:00Z', ...more }
    }
    const said = (role: string, content: unknown, more: object = {}): object => {
      return { type: role, message: { role, content, ...more } }
    }
    const saved = (name: string, lines: readonly object[]): string => {
      const file = join(folder, name)
      writeFileSync(file, lines.map((each) => JSON.stringify(each)).join('\n'))
      return file
    }
    const model = 'claude-opus-5-5'
    const asked = line('1', null, said('user', 'Which file holds the port?'))
    const loggedOut = line('2', '1', {
      ...said('assistant', [{ type: 'text', text: 'Please run /login' }], { model: '<synthetic>' }),
      isApiErrorMessage: true,
    })
    const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls' } }
    const result = { type: 'tool_result', tool_use_id: 'c1', content: 'src/listening-port.ts' }
    const listed = [asked, line('2', '1', said('assistant', [call], { model })), line('3', '2', said('user', [result]))]
    const read = { type: 'tool_use', id: 'c2', name: 'Read', input: { path: 'src/listening-port.ts' } }

    it('are passed over where they hold no answer, and counted', async () => {
      const quit = saved('a-quit.jsonl', [asked, loggedOut])
      const whole = saved('whole.jsonl', [...listed, line('4', '3', said('assistant', [read], { model }))])
      const { code, out } = await run(quit, whole, '--strategy', 'pass-through')
      expect(code).toBe(0)
      expect(out).toContain(
        `1 trace, 2 requests, billed by the rules of ${model}; 1 of 2 sessions holds no answer and is left out`,
      )
      expect(await reportOf(quit, whole, '--strategy', 'pass-through')).toMatchObject({ traces: 1, unanswered: 1 })
      const none = await run(quit, saved('b-quit.jsonl', [asked]))
      expect({ code: none.code, out: none.out }).toEqual({ code: 2, out: '' })
      expect(none.err).toContain('a-quit.jsonl:1: is a Claude Code session without an answer')
      expect(none.err).toContain('None of the 2 sessions holds an answer.')
    })

    it('are billed by the model that answered, not by what stands for it in an error', async () => {
      const again = line('3', '2', said('user', 'Try again.'))
      const late = saved('late.jsonl', [
        asked,
        loggedOut,
        again,
        line('4', '3', said('assistant', 'It is a.ts.', { model })),
      ])
      expect(await reportOf(late, '--strategy', 'pass-through')).toMatchObject({ requests: 1, provider: model })
    })

    it('are passed over within a file, too', async () => {
      const question = { role: 'user', content: 'Which file?' }
      const file = saved('mixed.jsonl', [
        { id: 'quit', messages: [question] },
        { id: 'whole', messages: [question, { role: 'assistant', content: 'a.ts' }] },
      ])
      expect(await reportOf(file, '--strategy', 'pass-through')).toMatchObject({ traces: 1, unanswered: 1 })
    })

    it('are searched for needles without being asked, and the footer says where there are none', async () => {
      const end = line('6', '5', said('assistant', 'It listens there.', { model }))
      const given = line('5', '4', said('user', [{ type: 'tool_result', tool_use_id: 'c2', content: '8484' }]))
      const used = saved('used.jsonl', [...listed, line('4', '3', said('assistant', [read], { model })), given, end])
      const [row] = (await reportOf(used, '--strategy', 'pass-through')).strategies
      expect(row).toMatchObject({ needleLineRecall: 1 })
      const unused = saved('unused.jsonl', [...listed, line('4', '3', said('assistant', 'It is there.', { model }))])
      const told = await run(unused, '--strategy', 'pass-through')
      expect(told.out).toContain('lines is n/a: no line of a tool result was used later.')
      const other = saved('other.jsonl', [
        {
          id: 'x',
          messages: [
            { role: 'user', content: 'hi' },
            { role: 'assistant', content: 'ho' },
          ],
        },
      ])
      expect((await run(other, '--strategy', 'pass-through')).out).toContain('--find-needles finds them')
    })
  })

  it('names file, line and field of an unreadable trace', async () => {
    const file = join(folder, 'bad.jsonl')
    writeFileSync(file, '{"id":"x","messages":[{"role":"user","content":"x"},{"role":"robot"}]}\n')
    const { code, err, out } = await run(file)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(`${file}:1 messages[1].role: is no known role`)
  })

  it('stops when it is interrupted, without a half-written report', async () => {
    const io = fakeIo()
    io.interrupt()
    expect(await runCli(['replay', example], io)).toBe(130)
    expect(io.written.out).toBe('')
  })

  it('shows progress on a terminal only, and never beside JSON', async () => {
    const terminal = fakeIo({ errIsTerminal: true })
    await runCli(['replay', example, '--strategy', 'pass-through'], terminal)
    expect(terminal.written.err).toContain('replaying examples/session.jsonl')
    const json = fakeIo({ errIsTerminal: true })
    await runCli(['replay', example, '--strategy', 'pass-through', '--json'], json)
    expect(json.written.err).toBe('prehend: examples/session.jsonl: recorded sessions, 46 requests\n')
  })

  it('N-02: says what the cache saves by itself, in a table of its own where it is asked for, and always in JSON', async () => {
    const options = [example, '--provider', 'anthropic', '--strategy', 'pass-through'] as const
    const plain = await run(...options)
    const { out } = await run(...options, '--caching')
    const [row] = JSON.parse((await run(...options, '--json')).out).strategies
    expect(plain.out).not.toContain('caching saves')
    expect(out).toContain('caching saves')
    expect(out).toContain(`${(row.cachingSaves * 100).toFixed(1)}%`)
    expect(row.cachingSaves).toBeCloseTo(1 - row.cost / row.uncachedCost, 9)
  })
})
