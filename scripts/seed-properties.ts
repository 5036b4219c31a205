// Set up before every test file: properties draw from the seeds that the run was given (see vitest.config.ts).
import * as fc from 'fast-check'
import type { RunnerTask } from 'vitest'
import { beforeAll, beforeEach, inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    readonly propertySeeds: { readonly first: number; readonly count: number }
  }
}

const { first, count } = inject('propertySeeds')
let sawProperty = false

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: first })

/** With more than one seed, tests that check a property run once for each; the others need no more than once. */
if (count > 1) {
  fc.installGlobalPlugin(fc.beforeEach(() => void (sawProperty = true)))
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures a hook wants.
  beforeAll(({}, file) => {
    for (const task of file.tasks) repeat(task)
  })
  beforeEach(({ task, skip }) => {
    const round = task.result?.repeatCount ?? 0
    if (round === 0) sawProperty = false
    else if (!sawProperty && task.result?.errors === undefined) skip('checks no property')
    fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: first + round })
  })
}

function repeat(task: RunnerTask): void {
  if (task.type === 'suite') for (const child of task.tasks) repeat(child)
  else task.repeats = count - 1
}
