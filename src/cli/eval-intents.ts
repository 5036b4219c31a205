import { setImmediate } from 'node:timers/promises'
import { intentReports, readIntents } from '../inspect/index.ts'
import type { IntentFile, IntentReport } from '../inspect/index.ts'
import { invalidInput } from '../core/index.ts'
import type { PrehendError } from '../core/index.ts'
import type { Io } from './io.ts'
import type { Progress } from './progress.ts'

interface Run {
  readonly limit: number | undefined
  readonly io: Io
  readonly line: Progress
  readonly onInvalid: (error: PrehendError) => void
}

/** The largest file holds the examples, the others are asked about; undefined where the user interrupted. */
export async function intentReportsOf(
  files: readonly string[],
  run: Run,
): Promise<readonly IntentReport[] | undefined> {
  const read: IntentFile[] = []
  for (const name of files) {
    run.line.show(`reading ${name}`)
    read.push({ name, requests: await readIntents(name, run) })
  }
  const [examples, ...asked] = read.toSorted((one, other) => other.requests.length - one.requests.length)
  if (examples === undefined) return []
  if (asked.length === 0) throw withoutExamples(examples.name)
  const reports: IntentReport[] = []
  for (const { name, requests } of asked) {
    const making = intentReports(examples, { name, requests: requests.slice(0, run.limit) })
    for (let step = making.next(); ; step = making.next()) {
      if (step.done === true) {
        reports.push(step.value)
        break
      }
      run.line.show(`${name}: ${step.value.done} of ${step.value.all} requests`)
      await setImmediate()
      if (run.io.interrupted.aborted) return undefined
    }
  }
  return reports
}

function withoutExamples(name: string): Error {
  const remedy = 'Name two files of {text, intent}: the larger one holds the examples'
  return invalidInput(name, 'holds intents, and no other file holds examples of them', remedy)
}
