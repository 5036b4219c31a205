import { setImmediate } from 'node:timers/promises'
import {
  askedQuestions,
  isNeedleFile,
  joinLabelled,
  labelledReport,
  outputShape,
  questionsOf,
  readLabelled,
  readMarked,
  readSuspects,
  readTasks,
  spanReport,
  suspicionReport,
  taskReport,
  wordListDetector,
} from '../inspect/index.ts'
import type {
  AskedQuestion,
  IntentReport,
  LabelledOptions,
  LabelledReport,
  LabelledSet,
  OutputReport,
  OutputShape,
  SpanReport,
  SuspicionReport,
  TaskReport,
} from '../inspect/index.ts'
import { guarded } from '../compiler/index.ts'
import { invalidInput } from '../core/index.ts'
import type { PrehendError } from '../core/index.ts'
import { heuristicDetector } from '../defense/index.ts'
import { intentReportsOf } from './eval-intents.ts'
import { outputsReport, sessionsReport } from './eval-sessions.ts'
import { withSkipAdvice } from './recognised.ts'
import type { SessionsOptions, SessionsReport } from './eval-sessions.ts'
import type { Io } from './io.ts'
import { progress } from './progress.ts'
import type { Progress } from './progress.ts'
import type { CompileExtras } from '../sessions/index.ts'

export interface EvaluationOptions extends LabelledOptions {
  readonly limit: number | undefined
  readonly skipInvalid: boolean
  readonly quiet: boolean
  readonly io: Io
  /** Of extensions. */
  readonly extras: CompileExtras
}

/** What `eval --json` prints. */
export interface Evaluation {
  readonly schema: 'prehend.eval/1'
  readonly policy: string
  readonly labelled: readonly LabelledReport[]
  /** Of tasks whose answers are known. */
  readonly tasks: readonly TaskReport[]
  readonly sessions: readonly SessionsReport[]
  /** What is taken for orders of texts of which somebody has said what they are. */
  readonly suspicions: readonly SuspicionReport[]
  /** What stands of parts of texts of which somebody has said what they are. */
  readonly spans: readonly SpanReport[]
  /** Which intents are found for requests, by examples. */
  readonly intents: readonly IntentReport[]
  /** Of files of responses and of tools. */
  readonly outputs: readonly OutputReport[]
  readonly skipped: number
}

/** Measures what the files hold; undefined where the user interrupted. */
export async function evaluated(files: readonly string[], options: EvaluationOptions): Promise<Evaluation | undefined> {
  const { io, quiet, skipInvalid } = options
  const line = progress(io, quiet)
  const invalid: PrehendError[] = []
  const onInvalid = skipInvalid ? (error: PrehendError) => void invalid.push(error) : fail
  const told: string[] = []
  try {
    const sorted = await sortedFiles(files)
    const recorded = await recordedReports(sorted, { ...options, onInvalid, line, told })
    if (recorded === undefined) return undefined
    const labelled = await labelledReports(sorted.other, { ...options, onInvalid, line })
    if (labelled === undefined) return undefined
    const tasks = await taskReports(sorted.tasks, { ...options, onInvalid, line })
    const suspicions = await suspicionReports(sorted.suspects, { ...options, onInvalid, line })
    const spans = await spanReports(sorted.marked, { ...options, onInvalid, line })
    const intents = await intentReportsOf(sorted.intents, { ...options, onInvalid, line })
    if (intents === undefined) return undefined
    const asked = labelled.filter(({ questions }) => questions > 0)
    if (
      [asked, tasks, suspicions, spans, intents, recorded.sessions, recorded.outputs].every(
        ({ length }) => length === 0,
      )
    )
      throw nothingAsked(files, labelled)
    return {
      schema: 'prehend.eval/1',
      policy: options.policy.id,
      labelled,
      tasks,
      suspicions,
      spans,
      intents,
      ...recorded,
      skipped: invalid.length,
    }
  } catch (error) {
    throw skipInvalid ? error : await withSkipAdvice(error, () => canBeMeasured(files, options))
  } finally {
    line.end()
    io.err(told.join(''))
    const [first] = invalid
    if (first !== undefined) io.err(`prehend: ${invalid.length} left out; the first: ${first.message}\n`)
  }
}

const sortedKinds = ['sessions', 'outputs', 'tasks', 'suspects', 'marked', 'intents', 'other'] as const

type SortedFiles = Readonly<Record<(typeof sortedKinds)[number], readonly string[]>>

/** Files by what their first lines say; what goes with a file of sessions is read with it. */
async function sortedFiles(files: readonly string[]): Promise<SortedFiles> {
  const sorted = Object.fromEntries(sortedKinds.map((kind) => [kind, [] as string[]])) as Record<
    keyof SortedFiles,
    string[]
  >
  const shapes: (readonly [file: string, shape: OutputShape])[] = []
  for (const file of files.filter((name) => !isNeedleFile(name))) shapes.push([file, await outputShape(file)])
  // Steps of agents name the tools of a catalogue, which is no collection of outputs beside them.
  const hasSteps = shapes.some(([, shape]) => shape === 'steps')
  for (const [file, shape] of shapes) sorted[kindOf(shape, hasSteps)].push(file)
  return sorted
}

function kindOf(shape: OutputShape, hasSteps: boolean): keyof SortedFiles {
  if (shape === 'steps') return 'other'
  if (shape === 'tools') return hasSteps ? 'other' : 'outputs'
  return shape === 'responses' ? 'outputs' : shape
}

interface Run extends EvaluationOptions {
  readonly onInvalid: (error: PrehendError) => void
  readonly line: Progress
}

async function recordedReports(
  files: SortedFiles,
  run: Run & Pick<SessionsOptions, 'told'>,
): Promise<Pick<Evaluation, 'sessions' | 'outputs'> | undefined> {
  const sessions: SessionsReport[] = []
  for (const file of files.sessions) {
    const report = await sessionsReport(file, run)
    if (report === undefined) return undefined
    sessions.push(report)
  }
  const outputs: OutputReport[] = []
  for (const file of files.outputs) outputs.push(await outputsReport(file, run))
  return { sessions, outputs }
}

async function suspicionReports(files: readonly string[], run: Run): Promise<readonly SuspicionReport[]> {
  const { threshold = 0.5 } = guarded.defense ?? {}
  const detectors = [
    { name: heuristicDetector.id, detector: heuristicDetector, threshold },
    { name: wordListDetector.id, detector: wordListDetector, threshold },
  ]
  const reports: SuspicionReport[] = []
  for (const file of files) {
    run.line.show(`reading ${file}`)
    const texts = (await readSuspects(file, run)).slice(0, run.limit)
    if (texts.length > 0) reports.push(suspicionReport(file, texts, detectors))
  }
  return reports
}

async function spanReports(files: readonly string[], run: Run): Promise<readonly SpanReport[]> {
  const reports: SpanReport[] = []
  for (const file of files) {
    run.line.show(`reading ${file}`)
    const texts = (await readMarked(file, run)).slice(0, run.limit)
    if (texts.length > 0) reports.push(spanReport(file, texts, run.count))
  }
  return reports
}

/** Packs of the smallest size: there sections have to give way to each other. */
async function taskReports(files: readonly string[], run: Run): Promise<readonly TaskReport[]> {
  const reports: TaskReport[] = []
  for (const file of files) {
    run.line.show(`reading ${file}`)
    const tasks = (await readTasks(file, run)).slice(0, run.limit)
    const { policy, model, budgets, compile } = run
    const budgetTokens = Math.min(...budgets)
    if (tasks.length > 0) reports.push(taskReport(file, tasks, { policy, model, budgetTokens, compile }))
  }
  return reports
}

async function labelledReports(files: readonly string[], run: Run): Promise<readonly LabelledReport[] | undefined> {
  const read = []
  for (const file of files) {
    run.line.show(`reading ${file}`)
    read.push(await readLabelled(file, run))
  }
  const labelled: LabelledReport[] = []
  for (const whole of joinLabelled(read, run.onInvalid)) {
    const set = limited(whole, run.limit)
    const asked = await askAll(set, run, run.line)
    if (asked === undefined) return undefined
    labelled.push(labelledReport(set, asked, run))
  }
  return labelled
}

/** The first conversations, or of documents the first questions. */
function limited(set: LabelledSet, limit = Number.POSITIVE_INFINITY): LabelledSet {
  const groups =
    set.kind === 'conversation'
      ? set.groups.slice(0, limit)
      : set.groups.map((group) => ({ ...group, questions: group.questions.slice(0, limit) }))
  return { ...set, groups }
}

async function askAll(
  set: LabelledSet,
  options: EvaluationOptions,
  line: Progress,
): Promise<readonly AskedQuestion[] | undefined> {
  const all = questionsOf(set)
  const asked: AskedQuestion[] = []
  for (const group of set.groups)
    for (const question of askedQuestions(group, set.kind, options)) {
      asked.push(question)
      line.show(`${set.name}: ${asked.length} of ${all} questions`)
      // Packing keeps the process busy; this lets a signal through.
      await setImmediate()
      if (options.io.interrupted.aborted) return undefined
    }
  return asked
}

function nothingAsked(files: readonly string[], labelled: readonly LabelledReport[]): PrehendError {
  const without = labelled.flatMap(({ leftOut }) =>
    Object.entries(leftOut).map(([reason, count]) => `${count} ${reason}`),
  )
  if (without.length > 0)
    return invalidInput(
      files.join(', '),
      `holds no question that can be measured: ${without.join(', ')}`,
      'Label what each needs',
    )
  const remedy = 'Name files with questions, with what they are about'
  return invalidInput(files.join(', '), 'holds no question', remedy)
}

function fail(error: PrehendError): never {
  throw error
}

/** Whether anything is left to measure when records that cannot be read are passed over. */
async function canBeMeasured(files: readonly string[], options: EvaluationOptions): Promise<boolean> {
  const io: Io = { ...options.io, err: () => undefined }
  try {
    return (await evaluated(files, { ...options, skipInvalid: true, quiet: true, limit: 1, io })) !== undefined
  } catch {
    return false
  }
}
