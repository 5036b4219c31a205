import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { careful, createCompiler, guarded, thrifty } from '../compiler/index.ts'
import type { PrehendError } from '../core/index.ts'
import { heuristicDetector } from '../defense/index.ts'
import {
  compactionLoss,
  hasValueFile,
  keepLast,
  outputMeasure,
  outputsOf,
  passThrough,
  plainRules,
  prehend,
  readCompactions,
  readOutputs,
  readTrace,
  slidingWindow,
  valueMeasure,
} from '../inspect/index.ts'
import { recognisedLine } from './recognised.ts'
import type { CompactionReport, OutputReport, ReadForm, Strategy, ValueRetention } from '../inspect/index.ts'
import type { Io } from './io.ts'
import type { Progress } from './progress.ts'
import type { CompileExtras } from '../sessions/index.ts'

/** What recorded sessions of one file say. */
export interface SessionsReport {
  readonly name: string
  readonly sessions: number
  readonly outputs: OutputReport
  /** Empty where none are recorded. */
  readonly compactions: readonly CompactionReport[]
  /** Empty where no values of calls are recorded beside the file. */
  readonly values: readonly ValueRetention[]
}

export interface SessionsOptions {
  count(text: string): number
  readonly budgets: readonly number[]
  readonly limit: number | undefined
  readonly onInvalid: (error: PrehendError) => void
  readonly line: Progress
  readonly io: Io
  /** Of extensions. */
  readonly extras: CompileExtras
  /** Takes what the files were recognised as. */
  readonly told: string[]
}

/** Measures recorded sessions; undefined where the user interrupted. */
export async function sessionsReport(file: string, options: SessionsOptions): Promise<SessionsReport | undefined> {
  const { count, limit = Number.POSITIVE_INFINITY, line, io } = options
  const outputs = measureOf(options)
  const recorded = await readCompactions(file)
  const values = hasValueFile(file) ? valuesOf(options) : undefined
  const compactions: CompactionReport[] = []
  let sessions = 0
  const onForms = (forms: readonly ReadForm[]): void => void options.told.push(recognisedLine(file, forms, io))
  for await (const trace of readTrace(file, { onInvalid: options.onInvalid, onForms })) {
    if (sessions >= limit) break
    line.show(`${file}: ${trace.id} (${sessions} sessions done)`)
    await setImmediate()
    if (io.interrupted.aborted) return undefined
    for (const output of outputsOf(trace)) outputs.add(output)
    compactions.push(
      ...compactionLoss(trace, recorded.get(trace.id) ?? [], { count, ours: (tokens) => ours(tokens, options.extras) }),
    )
    values?.add(trace)
    sessions += 1
  }
  return { name: file, sessions, outputs: outputs.report(file), compactions, values: values?.report() ?? [] }
}

/** Measures a file of responses or of tools. */
export async function outputsReport(file: string, options: Omit<SessionsOptions, 'told'>): Promise<OutputReport> {
  const outputs = measureOf(options)
  for (const output of (await readOutputs(file, options)).slice(0, options.limit)) outputs.add(output)
  return outputs.report(file)
}

/** What is an attack is judged as the policy does that has a defense. */
function measureOf({ count }: Pick<SessionsOptions, 'count'>) {
  const { threshold = 0.5 } = guarded.defense ?? {}
  return outputMeasure({ count, detector: heuristicDetector, threshold })
}

/** Ours, for requests of so many tokens: what the policy holds back for the answer comes on top. */
function ours(requestTokens: number, extras: CompileExtras = {}): readonly Strategy[] {
  const { prices, tokenizer } = plainRules()
  const openCompiler = () => createCompiler({ ...extras, tokenizer, hash: (text) => hash('sha256', text, 'hex') })
  return [careful, thrifty].map((policy) => {
    const windowTokens = Math.floor(requestTokens / (1 - policy.reserveShare))
    const name = `prehend:${policy.id}`
    return prehend({ name, policy, prices, openCompiler, windowTokens, chargeTool: 'never' })
  })
}

const roomy = 1_000_000

function valuesOf({ count, budgets, extras }: SessionsOptions) {
  const { openCache } = plainRules()
  const strategies = (windowTokens: number | undefined): readonly Strategy[] =>
    windowTokens === undefined
      ? [passThrough(), keepLast(10), ...ours(roomy, extras)]
      : [slidingWindow(windowTokens), ...ours(windowTokens, extras)]
  return valueMeasure({ count, openCache, strategies, windows: [...budgets, undefined] })
}
