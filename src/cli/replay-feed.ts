import { setImmediate } from 'node:timers/promises'
import { isNeedleFile, modelRules, namedRules, readTrace, tracedRules, withFoundNeedles } from '../inspect/index.ts'
import { progress } from './progress.ts'
import { holdsRequests, recognisedLine, withSkipAdvice } from './recognised.ts'
import type { PrehendError } from '../core/index.ts'
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
  const [file] = files.filter((name) => !isNeedleFile(name))
  if (file === undefined) return undefined
  try {
    for await (const { model } of readTrace(file, { onInvalid: () => undefined })) return model
  } catch {
    return undefined
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
}

/** Gives every trace of the files to a replay. */
export async function feed(
  run: Pick<Replay, 'add'>,
  { files, limit, findNeedles, skipInvalid, io, quiet }: Feed,
): Promise<Fed> {
  const line = progress(io, quiet)
  const invalid: PrehendError[] = []
  const onInvalid = skipInvalid ? (error: PrehendError) => void invalid.push(error) : fail
  const told: string[] = []
  let traces = 0
  try {
    // A pattern such as *.jsonl names them along with their traces.
    for (const file of files.filter((name) => !isNeedleFile(name))) {
      let ofFile = 0
      const onForms = (forms: readonly ReadForm[]): void => void told.push(recognisedLine(file, forms, io))
      for await (const trace of tracesOf(file, { onInvalid, onForms }, skipInvalid)) {
        if (limit !== undefined && ofFile >= limit) break
        line.show(`replaying ${file}: ${trace.id} (${traces} traces done)`)
        // Replaying keeps the process busy; this lets a signal through.
        await setImmediate()
        if (io.interrupted.aborted) return { whole: false, skipped: invalid.length }
        run.add(findNeedles ? withFoundNeedles(trace) : trace)
        ofFile += 1
        traces += 1
      }
    }
  } finally {
    line.end()
  }
  io.err(told.join(''))
  const [first] = invalid
  if (first !== undefined) io.err(`prehend: ${invalid.length} left out; the first: ${first.message}\n`)
  return { whole: true, skipped: invalid.length }
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
