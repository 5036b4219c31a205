import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Trial } from '../../inspect/index.ts'
import { fakeIo } from '../fake-io.fixture.ts'
import { runCli } from '../run-cli.ts'
import type { LiveReport } from './live-report.ts'

let folder = ''
const temporary = process.env['TMPDIR']
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-eval-live-'))
  // Folders of runs are looked for there.
  mkdirSync(join(folder, 'tmp'))
  process.env['TMPDIR'] = join(folder, 'tmp')
  for (const name of ['sum', 'product']) makeTask(name)
  const reads = { say: 'Let me see.', do: [{ list: '.' }, { read: 'src/sum.js' }, { search: 'export' }] }
  const edits = { do: [{ edit: 'src/sum.js', find: 'a - b', replace: 'a + b' }] }
  const tests = { do: [{ call: 'run_tests', arguments: {} }] }
  script('solves', [reads, tests, edits, tests, { say: 'Done.' }])
  script('gives-up', [reads, tests, { say: 'I cannot find it.' }])
  script(
    'turns',
    Array.from({ length: 50 }, () => tests),
  )
})
afterAll(() => {
  if (temporary === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = temporary
  rmSync(folder, { recursive: true, force: true })
})

function makeTask(name: string): void {
  const path = join(folder, 'tasks', name)
  for (const each of ['repo/src', 'repo/test', 'tests']) mkdirSync(join(path, each), { recursive: true })
  const task = { schema: 'prehend.task/1', about: 'a wrong sign', prompt: 'Fix src/sum.js.' }
  const test = `import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { sum } from '../src/sum.js'\n`
  writeFileSync(join(path, 'task.json'), JSON.stringify(task))
  writeFileSync(join(path, 'repo/package.json'), '{"type":"module"}')
  writeFileSync(join(path, 'repo/src/sum.js'), 'export const sum = (a, b) => a - b\n')
  writeFileSync(join(path, 'repo/test/sum.test.js'), `${test}test('0', () => assert.equal(sum(0, 0), 0))\n`)
  writeFileSync(join(path, 'tests/sum.test.js'), `${test}test('3', () => assert.equal(sum(1, 2), 3))\n`)
}

function script(name: string, steps: readonly object[]): void {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ schema: 'prehend.script/1', steps }))
}

interface Called {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function evaluated(argv: readonly string[], environment: Record<string, string> = {}): Promise<Called> {
  const io = fakeIo({ environment })
  const code = await runCli(['eval', ...argv], io)
  return { code, ...io.written }
}

const tasks = (...more: readonly string[]): readonly string[] => [
  '--live',
  join(folder, 'tasks'),
  '--model',
  'claude-haiku-4-5',
  '--runs',
  '1',
  ...more,
]
const plays = (name: string): readonly string[] => ['--script', join(folder, `${name}.json`)]

async function report(...argv: readonly string[]): Promise<LiveReport> {
  const { code, out, err } = await evaluated([...tasks(), ...argv, '--json'])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as LiveReport
}

describe('prehend eval --live', () => {
  it('reports a task as solved that the agent solves, with its whole bill', async () => {
    const { policies, trials, provider, stopped } = await report(...plays('solves'), '--policies', 'careful,thrifty')
    expect([provider, stopped]).toEqual(['simulated', undefined])
    expect(policies.map(({ policy, runs, solved }) => [policy, runs, solved?.hits])).toEqual([
      ['off', 2, 2],
      ['careful', 2, 2],
      ['thrifty', 2, 2],
    ])
    for (const trial of trials) {
      expect(trial).toMatchObject({ end: 'done', solved: true, turns: 5, toolCalls: 6, requests: 5, refused: 0 })
      expect(trial.bill.usd).toBeGreaterThan(0)
      expect(trial.detail).toBeUndefined()
    }
    expect(policies[1]?.comparison).toMatchObject({ pairs: 2, verdict: 'unclear', p: 1 })
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('prehend-live-'))).toEqual([])
  })

  it.each(['claude-haiku-4-5', 'gpt-5.1', 'gemini-2.5-pro'])(
    'speaks to %s in the dialect of its makers',
    async (model) => {
      const { code, out } = await evaluated([
        '--live',
        join(folder, 'tasks/sum'),
        '--model',
        model,
        '--runs',
        '1',
        ...plays('solves'),
        '--json',
      ])
      expect(code).toBe(0)
      expect((JSON.parse(out) as LiveReport).trials.map(({ solved }) => solved)).toEqual([true, true])
    },
  )

  it('reports one as not solved that it leaves, or does not finish in its turns', async () => {
    const untidy = await report(...plays('gives-up'))
    expect(untidy.trials.map(({ end, solved }) => [end, solved])).toEqual(
      Array.from({ length: 4 }, () => ['done', false]),
    )
    expect(untidy.trials[0]?.detail).toContain('fail 1')
    const tired = await report(...plays('turns'), '--max-turns', '3')
    expect(tired.trials.map(({ end, turns }) => [end, turns])).toEqual(Array.from({ length: 4 }, () => ['turns', 3]))
  })

  it('says in words what the runs tell, without colour, and that no model was asked', async () => {
    const { code, out } = await evaluated([...tasks(), ...plays('solves')])
    expect(code).toBe(0)
    expect(out).toContain('No model was asked')
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      '2 pairs of runs tell no difference between balanced and off: +0 points',
    )
    expect(out).toMatch(/^solved +100% \[34 to 100\] +100% \[34 to 100\]$/m)
    expect(out).not.toContain('\u001B')
    const nothing = await evaluated([...tasks(), ...plays('gives-up')])
    const words = (text: string): string => text.replaceAll(/\s+/g, ' ')
    expect(words(nothing.out)).toContain('so 0% says nothing about a policy')
    expect(words(out)).not.toContain('says nothing')
  })

  it('stops at the spending cap with what was done, and goes on from there', async () => {
    const file = join(folder, 'capped.jsonl')
    const argv = [...tasks(...plays('solves')), '--out', file, '--json']
    const whole = (await report(...plays('solves'))).spentUsd ?? 0
    const cap = 0.1
    expect(whole).toBeLessThan(cap)
    // One call may cost five cents, so the cap is reached before the runs are over.
    const first = await evaluated([...argv, '--max-usd', '0.052'])
    const capped = JSON.parse(first.out) as LiveReport
    expect([first.code, capped.stopped?.why]).toEqual([0, 'cap'])
    expect(capped.spentUsd).toBeLessThanOrEqual(0.052)
    expect(capped.trials.at(-1)?.end).toBe('cap')
    const counted = capped.trials.filter(({ end }) => end === 'done')
    expect(counted.length).toBeLessThan(4)

    const refused = await evaluated([...argv, '--max-usd', '1'])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--resume')])
    const second = await evaluated([...argv, '--max-usd', '1', '--resume'])
    const resumed = JSON.parse(second.out) as LiveReport
    expect([second.code, resumed.stopped]).toEqual([0, undefined])
    expect(resumed.trials.filter(({ end }) => end === 'done').length).toBe(4)
    expect(resumed.spentUsd).toBeGreaterThan(capped.spentUsd ?? 0)
    // Runs with a result are not made again.
    expect(resumed.trials.slice(0, capped.trials.length)).toEqual(capped.trials)
    const again = await evaluated([...argv, '--max-usd', '1', '--resume'])
    expect((JSON.parse(again.out) as LiveReport).trials).toEqual(resumed.trials)
  })

  it('goes on after a process was killed in the middle of a line, and not with other options', async () => {
    const file = join(folder, 'killed.jsonl')
    const argv = [...tasks(...plays('solves')), '--out', file, '--json']
    await evaluated(argv)
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect(lines.length).toBe(5)
    writeFileSync(file, `${lines.slice(0, 3).join('\n')}\n${lines[3]?.slice(0, 50)}`)
    const { out } = await evaluated([...argv, '--resume'])
    expect((JSON.parse(out) as LiveReport).trials.length).toBe(4)
    const read = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Trial)
    expect(read.slice(1).map(({ end }) => end)).toEqual(['done', 'done', 'done', 'done'])
    const other = await evaluated([...argv, '--resume', '--max-turns', '7'])
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('another experiment (maxTurns differ)')])
  })

  it('stops where it is interrupted', async () => {
    const io = fakeIo()
    io.interrupt()
    expect(await runCli(['eval', ...tasks(...plays('solves')), '--json'], io)).toBe(130)
    expect(JSON.parse(io.written.out)).toMatchObject({ stopped: { why: 'interrupted' }, trials: [] })
  })

  it('gives up at once where the provider refuses the key, and takes it from the environment', async () => {
    const keys: (string | undefined)[] = []
    const server = createServer((request, response) => {
      keys.push(request.headers.authorization)
      response.writeHead(401).end('{"error":{"message":"no such key"}}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const upstream = ['--upstream', `my-server=http://127.0.0.1:${port}/v1`, '--price', '1,2', '--max-usd', '1']
    const argv = ['--live', join(folder, 'tasks'), '--model', 'my-model', ...upstream]
    const { code, out, err } = await evaluated(argv, { MY_SERVER_API_KEY: 'secret' })
    server.close()
    expect([code, out, err]).toEqual([6, '', expect.stringContaining('no such key')])
    expect(keys).toEqual(['Bearer secret'])
  })
})

describe('prehend eval --live refuses', () => {
  it.each([
    [['--live', 'none', '--model', 'm', '--simulate'], 4, 'none holds no tasks'],
    [['--live', 'example', '--simulate'], 2, '--model: is missing'],
    [['--live', 'example', '--model', 'gpt-5.1'], 6, 'No provider is configured'],
    [['--live', 'example', '--model', 'm', '--upstream', 'ollama'], 2, '--max-usd: is missing'],
    [['--live', 'example', '--model', 'm', '--upstream', 'ollama', '--max-usd', '1'], 2, 'the price of m is not known'],
    [['--live', 'example', '--model', 'm', '--simulate', '--price', '3'], 2, '--price: 3 is no list of prices'],
    [['--live', 'example', '--model', 'm', '--simulate', '--policies', 'carefull'], 2, 'careful'],
    [['--live', 'example', '--model', 'm', '--script', 'example'], 2, '--script: example is the demonstration'],
    [['--live', 'example', '--model', 'm', '--simulate', '--resume'], 2, '--resume: needs --out'],
    [['--live', 'example', '--model', 'm', '--simulate', '--budget', '1000'], 2, '--budget: does not go with --live'],
    [['a.jsonl', '--live', 'example', '--model', 'm', '--simulate'], 2, 'a.jsonl: does not go with --live'],
    [['a.jsonl', '--runs', '5'], 2, '--runs: goes with --live only'],
    [[], 2, 'FILE: is missing'],
  ])('%j', async (argv, code, message) => {
    const called = await evaluated(argv)
    expect([called.code, called.err]).toEqual([code, expect.stringContaining(message)])
  })
})
