import { setImmediate } from 'node:timers/promises'
import { PrehendError } from '../core/index.ts'
import { isNeedleFile, modelRules, namedRules, readTrace, tracedRules } from '../inspect/index.ts'
import { counted } from './counted.ts'
import { progress } from './progress.ts'
import { holdsRequests, recognisedLine, withSkipAdvice } from './recognised.ts'
import type { BillingRuleName, BillingRules, ReadForm, Replay, Trace, TraceOptions } from '../inspect/index.ts'
import type { Io } from './io.ts'

export interface RuleOptions {
  readonly 'provider'?: string
  readonly 'model'?: string
  readonly 'price-read'?: number
  readonly 'price-write'?: number
}

/** The rules to bill by: as the options name them, else those of the model that the first trace of the files names. */
export async function rulesOf(
  { provider, model, 'price-read': read, 'price-write': write }: RuleOptions,
  files: readonly string[],
): Promise<BillingRules> {
  const overrides = {
    ...(read === undefined ? {} : { read }),
    ...(write === undefined ? {} : { write }),
  }
  if (model !== undefined) return modelRules(model, overrides)
  if (provider === undefined) return tracedRules(await modelIn(files), overrides)
  // Choices are checked by the parser.
  return namedRules(provider as BillingRuleName, overrides)
}

/** What cannot be read is told when it is replayed. */
async function modelIn(files: readonly string[]): Promise<string | undefined> {
  const ignored = (): void => undefined
  for (const file of files.filter((name) => !isNeedleFile(name))) {
    try {
      for await (const { model } of readTrace(file, { onInvalid: ignored, onUnanswered: ignored })) return model
    } catch {
      return undefined
    }
  }
  return undefined
}

export interface Feed {
  readonly files: readonly string[]
  readonly limit: number | undefined
  readonly findNeedles: boolean
  readonly skipInvalid: boolean
  readonly io: Io
  readonly quiet: boolean
}

export interface Fed {
  /** False when the user interrupted. */
  readonly whole: boolean
  /** Lines that could not be read. */
  readonly skipped: number
  /** Sessions without an answer, which hold no request. */
  readonly unanswered: number
}

/** Gives every trace of the files to a replay. Sessions without an answer are left out; where there are no others, that is an error. */
export async function feed(
  run: Pick<Replay, 'add'>,
  { files, limit, findNeedles, skipInvalid, io, quiet }: Feed,
): Promise<Fed> {
  const line = progress(io, quiet)
  const invalid: PrehendError[] = []
  const onInvalid = skipInvalid ? (error: PrehendError) => void invalid.push(error) : fail
  const unanswered: PrehendError[] = []
  const reading = {
    onInvalid,
    onUnanswered: (error: PrehendError) => void unanswered.push(error),
    findNeedles: findNeedles ? ('always' as const) : ('agents' as const),
  }
  const told: string[] = []
  let traces = 0
  try {
    // A pattern such as *.jsonl names them along with their traces.
    for (const file of files.filter((name) => !isNeedleFile(name))) {
      let ofFile = 0
      const onForms = (forms: readonly ReadForm[]): void => void told.push(recognisedLine(file, forms, io))
      for await (const trace of tracesOf(file, { ...reading, onForms }, skipInvalid)) {
        if (limit !== undefined && ofFile >= limit) break
        line.show(`replaying ${file}: ${trace.id} (${traces} traces done)`)
        // Replaying keeps the process busy; this lets a signal through.
        await setImmediate()
        if (io.interrupted.aborted) return { whole: false, skipped: invalid.length, unanswered: unanswered.length }
        run.add(trace)
        ofFile += 1
        traces += 1
      }
    }
  } finally {
    line.end()
  }
  if (traces === 0 && unanswered[0] !== undefined) throw noneAnswered(unanswered[0], unanswered.length)
  io.err(told.join(''))
  const [first] = invalid
  if (first !== undefined) io.err(`prehend: ${invalid.length} left out; the first: ${first.message}\n`)
  if (unanswered.length > 0) io.err(`prehend: ${unansweredText(unanswered.length, traces)}\n`)
  return { whole: true, skipped: invalid.length, unanswered: unanswered.length }
}

/** For example `3 of 41 sessions hold no answer and are left out`. */
export function unansweredText(unanswered: number, traces: number): string {
  const [hold, are] = unanswered === 1 ? ['holds', 'is'] : ['hold', 'are']
  return `${unanswered} of ${counted(unanswered + traces, 'session')} ${hold} no answer and ${are} left out`
}

function noneAnswered(first: PrehendError, count: number): PrehendError {
  if (count === 1) return first
  return new PrehendError(
    first.code,
    `${first.message} None of the ${count} sessions holds an answer.`,
    first.data,
    first,
  )
}

function fail(error: PrehendError): never {
  throw error
}

async function* tracesOf(file: string, options: TraceOptions, skipInvalid: boolean): AsyncGenerator<Trace> {
  try {
    yield* readTrace(file, options)
  } catch (error) {
    throw skipInvalid ? error : await withSkipAdvice(error, () => holdsRequests(file))
  }
}
