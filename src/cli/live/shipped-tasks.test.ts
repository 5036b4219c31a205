import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
