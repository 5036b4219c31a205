import { isPrehendError } from '../../core/index.ts'
import type { ToolCall } from '../../core/index.ts'
import type { CallContext } from '../call-context.ts'
import { timely } from '../within-deadline.ts'
import type { HiddenTool, ToolAnswer } from './hidden-tool.ts'

export interface ToolRun {
  readonly tool: Pick<HiddenTool, 'definition' | 'failureText'>
  readonly limitMs: number
  readonly nowMs: number
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  work(context: Pick<CallContext, 'signal' | 'deadlineMs'>): Promise<ToolAnswer>
  /** Told why it gave no answer. */
  failed(error: unknown): void
}

export interface ToolOutcome extends ToolAnswer {
  /** Whether the text is ours, since the tool gave none. */
  readonly hasFailed?: true
}

/** A call with the time that it may take, after which nobody waits for it. Never rejects. */
export async function runTool({ tool, limitMs, nowMs, signal, work, failed }: ToolRun): Promise<ToolOutcome> {
  const over = new AbortController()
  const gone = whenAborted(signal)
  try {
    const context = { deadlineMs: nowMs + limitMs, signal: AbortSignal.any([signal, over.signal]) }
    const outcome = await timely(Promise.race([answering(work, context), gone.promise]), limitMs)
    if (outcome.kind === 'done')
      return outcome.value ?? apology(tool, 'was stopped: nobody waits for its answer any more.')
    failed(outcome.error)
    const isLate = outcome.kind === 'late'
    const what = isLate ? `did not answer within ${spoken(limitMs)}. ` : `failed. ${reasonOf(outcome.error)}`
    return apology(tool, `${what}${goOn}`)
  } finally {
    gone.forget()
    over.abort(new Error('nobody waits for the answer any more'))
  }
}

/** What a call of a tool that nobody has is answered. */
export function noSuchTool({ name }: ToolCall): ToolAnswer {
  return { text: `There is no tool ${name}.`, found: false }
}

const goOn = 'Go on without it, or try once more.'

/** A tool of the host's own may throw instead of reject, and give what is no answer. */
async function answering(work: ToolRun['work'], context: Parameters<ToolRun['work']>[0]): Promise<ToolAnswer> {
  const answer: Partial<ToolAnswer> | undefined = await work(context)
  if (typeof answer?.text !== 'string') throw new TypeError('gave no text')
  return { ...answer, text: answer.text, found: answer.found === true }
}

function apology({ definition, failureText }: ToolRun['tool'], what: string): ToolOutcome {
  if (failureText !== undefined) return { text: failureText, found: false, hasFailed: true }
  return { text: `The tool ${definition.name} ${what}`, found: false, hasFailed: true, isError: true }
}

/** Only errors that are written for people: others may quote what nobody should read. */
function reasonOf(error: unknown): string {
  return isPrehendError(error) ? `${error.message} ` : ''
}

function spoken(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
}

interface Abortion {
  readonly promise: Promise<undefined>
  forget(): void
}

function whenAborted(signal: AbortSignal): Abortion {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const abort = (): void => resolve(undefined)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return { promise, forget: () => signal.removeEventListener('abort', abort) }
}
