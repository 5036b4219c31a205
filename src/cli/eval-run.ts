import { setImmediate } from 'node:timers/promises'
import { askedQuestions, joinLabelled, labelledReport, questionsOf, readLabelled } from '../inspect/index.ts'
import type { AskedQuestion, LabelledOptions, LabelledReport, LabelledSet } from '../inspect/index.ts'
import { PrehendError, invalidInput } from '../core/index.ts'
import type { Io } from './io.ts'
import { progress } from './progress.ts'
import type { Progress } from './progress.ts'

export interface EvaluationOptions extends LabelledOptions {
  readonly limit: number | undefined
  readonly skipInvalid: boolean
  readonly quiet: boolean
  readonly io: Io
}

/** What `eval --json` prints. */
export interface Evaluation {
  readonly schema: 'prehend.eval/1'
  readonly policy: string
  readonly labelled: readonly LabelledReport[]
  readonly skipped: number
}

/** Measures what the files hold; undefined where the user interrupted. */
export async function evaluated(files: readonly string[], options: EvaluationOptions): Promise<Evaluation | undefined> {
  const { io, quiet, skipInvalid } = options
  const line = progress(io, quiet)
  const invalid: PrehendError[] = []
  const onInvalid = skipInvalid ? (error: PrehendError) => void invalid.push(error) : failWithHint
  try {
    const read = []
    for (const file of files) {
      line.show(`reading ${file}`)
      read.push(await readLabelled(file, { onInvalid }))
    }
    const sets = joinLabelled(read, onInvalid)
    if (sets.length === 0) throw nothingAsked(files)
    const labelled: LabelledReport[] = []
    for (const set of sets) {
      const asked = await askAll(set, options, line)
      if (asked === undefined) return undefined
      labelled.push(labelledReport(set, asked, options.budgets))
    }
    return { schema: 'prehend.eval/1', policy: options.policy.id, labelled, skipped: invalid.length }
  } finally {
    line.end()
    const [first] = invalid
    if (first !== undefined) io.err(`prehend: ${invalid.length} left out; the first: ${first.message}\n`)
  }
}

async function askAll(
  set: LabelledSet,
  options: EvaluationOptions,
  line: Progress,
): Promise<readonly AskedQuestion[] | undefined> {
  const { limit = Number.POSITIVE_INFINITY, io } = options
  const groups =
    set.kind === 'conversation'
      ? set.groups.slice(0, limit)
      : set.groups.map((group) => ({ ...group, questions: group.questions.slice(0, limit) }))
  const all = questionsOf({ ...set, groups })
  const asked: AskedQuestion[] = []
  for (const group of groups)
    for (const question of askedQuestions(group, set.kind, options)) {
      asked.push(question)
      line.show(`${set.name}: ${asked.length} of ${all} questions`)
      // Packing keeps the process busy; this lets a signal through.
      await setImmediate()
      if (io.interrupted.aborted) return undefined
    }
  return asked
}

function nothingAsked(files: readonly string[]): PrehendError {
  const remedy = 'Name files with questions, with what they are about'
  return invalidInput(files.join(', '), 'holds no question', remedy)
}

function failWithHint(error: PrehendError): never {
  const { code, message, data } = error
  throw new PrehendError(code, `${message}, or pass over such lines with --skip-invalid`, data, error)
}
