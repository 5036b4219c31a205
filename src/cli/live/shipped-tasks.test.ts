import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeIo } from '../fake-io.fixture.ts'
import { runCli } from '../run-cli.ts'
import type { LiveReport } from './live-report.ts'
import { runCommand } from './run-command.ts'
import type { CommandResult } from './run-command.ts'
import { readTasks, shippedTasks } from './task.ts'
import type { LiveTask } from './task.ts'
import { openWorkFolder } from './work-folder.ts'

const { signal } = new AbortController()

/** What the tests say of the repository, as it is or with the reference solution. */
async function judged(task: LiveTask, solved: boolean): Promise<readonly CommandResult[]> {
  const work = openWorkFolder(task)
  const options = { work, timeoutMs: 60_000, signal }
  try {
    if (solved) cpSync(join(shippedTasks, task.name, 'solution'), work.path, { recursive: true })
    const own = await runCommand(task.test, options)
    work.addHiddenTests()
    return [await runCommand(task.judge, options), own]
  } finally {
    work.remove()
  }
}

const tasks = readTasks('example')

it('ten tasks come with the product', () => {
  expect(tasks.length).toBe(10)
  expect(new Set(tasks.map(({ hash }) => hash)).size).toBe(10)
})

describe.each(tasks)('the task $name', (task) => {
  it('is not solved before, and is by its reference solution, whose own tests pass', async () => {
    expect(existsSync(join(shippedTasks, task.name, 'solution'))).toBe(true)
    const [before] = await judged(task, false)
    expect(before?.passed).toBe(false)
    // A task whose tests cannot even be run would fail as well.
    expect(before?.output).toMatch(/ℹ tests \d/)
    const [after, own] = await judged(task, true)
    expect(after?.output).toMatch(/ℹ fail 0/)
    expect([after?.passed, own?.passed]).toEqual([true, true])
  })
})

it('a script that reads, tests and writes solves a shipped task under a policy, within its turns', async () => {
  const place = join(shippedTasks, 'order-states')
  const tests = { do: [{ call: 'run_tests', arguments: {} }] }
  const writes = ['src/rules.js', 'src/machine.js'].map((write) => ({
    do: [{ write, content: readFileSync(join(place, 'solution', write), 'utf8') }],
  }))
  const steps = [{ do: [{ read: 'docs/orders.md' }] }, { do: [{ read: 'src/rules.js' }] }, tests, ...writes, tests]
  const folder = mkdtempSync(join(tmpdir(), 'prehend-shipped-'))
  const script = join(folder, 'script.json')
  writeFileSync(script, JSON.stringify({ schema: 'prehend.script/1', steps: [...steps, { say: 'Done.' }] }))
  const io = fakeIo()
  const argv = ['eval', '--live', place, '--model', 'claude-sonnet-5', '--runs', '1', '--script', script, '--json']
  const code = await runCli(argv, io)
  rmSync(folder, { recursive: true })
  expect(code).toBe(0)
  const { policies } = JSON.parse(io.written.out) as LiveReport
  expect(policies.map(({ policy, solved }) => [policy, solved?.share])).toEqual([
    ['off', 1],
    ['balanced', 1],
  ])
})
