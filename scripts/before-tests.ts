// Set up before every test file: how properties are run (see vitest.config.ts), and what a file may not leave behind.
import { deepStrictEqual } from 'node:assert'
import * as fc from 'fast-check'
import type { RunnerTask } from 'vitest'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import { seen } from './property-runs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly properties: { readonly first: number; readonly count: number; readonly mostRuns: number }
  }
}

const { first, count } = inject('properties')

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: first })

/** With more than one seed, tests that check a property run once for each; the others need no more than once. */
if (count > 1) {
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures a hook wants.
  beforeAll(({}, file) => {
    for (const task of file.tasks) repeat(task)
  })
  beforeEach(({ task, skip }) => {
    const round = task.result?.repeatCount ?? 0
    if (round === 0) seen.property = false
    else if (!seen.property && task.result?.errors === undefined) skip('checks no property')
    fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: first + round })
  })
}

function repeat(task: RunnerTask): void {
  if (task.type === 'suite') for (const child of task.tasks) repeat(child)
  else task.repeats = count - 1
}

/** Set by a library when it is loaded: sharp's says where its files are. */
const ofLibraries = ['VIPSHOME']

function surroundings(): object {
  const kept = Object.entries(process.env).filter(([name]) => !ofLibraries.includes(name))
  return { folder: process.cwd(), environment: Object.fromEntries(kept) }
}

const before = surroundings()
afterAll(() => {
  deepStrictEqual(surroundings(), before, 'the file leaves another folder or environment behind than it found')
})
