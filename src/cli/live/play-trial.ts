import { isPrehendError } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import { countsAsResult, trialKey } from '../../inspect/index.ts'
import type { JsonObject, PrehendError } from '../../core/index.ts'
import type { Trial, TrialBill, TrialKey } from '../../inspect/index.ts'
import { agentTools, runTool } from './agent-tools.ts'
import type { CallResult } from './dialects/agent-dialect.ts'
import { SpendingCapReached } from './live-provider.ts'
import type { LiveProvider, LiveReply } from './live-provider.ts'
import type { PolicyDoor } from './policy-door.ts'
import { runCommand } from './run-command.ts'
import type { LiveTask } from './task.ts'
import { noBill, withLost, withTurn } from './trial-bill.ts'
import { openWorkFolder } from './work-folder.ts'
import type { WorkFolder } from './work-folder.ts'

export interface TrialParts {
  readonly key: TrialKey
  readonly task: LiveTask
  readonly provider: LiveProvider
  openDoor(provider: LiveProvider): PolicyDoor
  readonly model: string
  readonly maxTurns: number
  readonly maxOutputTokens: number
  readonly isOpenai: boolean
  readonly signal: AbortSignal
}

/** No other run can succeed where this went wrong: a wrong key, a model that is not there. */
export class HopelessProvider extends Error {
  readonly trial: Trial
  readonly refusal: PrehendError

  constructor(trial: Trial, refusal: PrehendError) {
    super(refusal.message)
    this.trial = trial
    this.refusal = refusal
  }
}

/**
 * The first line keeps runs apart in the provider's cache: policies would otherwise read what the run before had paid for.
 */
const instructionsFor = (key: TrialKey): string =>
  `Session ${sha256(trialKey(key)).slice(0, 12)}.\n` +
  'You are a programmer who works in a small JavaScript repository. Use the tools to read, change and test it. ' +
  'Paths are relative to its root. When the work is done and the tests pass, answer without calling a tool.'

/** Plays one task from a fresh copy of its repository, and judges it by the hidden tests. Throws only `HopelessProvider`. */
export async function playTrial(parts: TrialParts): Promise<Trial> {
  const begunMs = performance.now()
  const work = openWorkFolder(parts.task)
  try {
    const played = await conversation(parts, work)
    // A run that was refused half way may have solved its task before.
    const judgement = countsAsResult(played) ? await judged(parts, work) : undefined
    const { refusal, detail = judgement?.output.slice(-mostDetailChars), ...figures } = played
    // A judgement that was interrupted says nothing.
    const end = parts.signal.aborted ? 'interrupted' : played.end
    const trial: Trial = {
      schema: 'prehend.trial/1',
      ...parts.key,
      ...figures,
      end,
      solved: judgement?.passed === true,
      durationMs: Math.round(performance.now() - begunMs),
      ...(detail !== undefined && judgement?.passed !== true && { detail }),
    }
    if (refusal !== undefined) throw new HopelessProvider(trial, refusal)
    return trial
  } finally {
    work.remove()
  }
}

const mostDetailChars = 1000

function judged({ task, signal }: TrialParts, work: WorkFolder) {
  work.addHiddenTests()
  return runCommand(task.judge, { work, timeoutMs: 1000 * task.testTimeoutSeconds, signal })
}

interface Played extends Pick<
  Trial,
  'end' | 'turns' | 'toolCalls' | 'rehydrations' | 'refused' | 'requests' | 'detail'
> {
  readonly bill: TrialBill
  readonly refusal?: PrehendError
}

async function conversation(parts: TrialParts, work: WorkFolder): Promise<Played> {
  const { task, provider, model, maxOutputTokens, isOpenai, signal } = parts
  const { dialect } = provider
  const counts = { turns: 0, toolCalls: 0, rehydrations: 0 }
  const rounds: LiveReply[][] = []
  let lostUsd = 0
  const door = parts.openDoor(
    noting(provider, {
      heard: (reply) => rounds.at(-1)?.push(reply),
      lost: (usd) => void (lostUsd += usd),
    }),
  )
  const played = (ending: Ending): Played => ({
    ...counts,
    requests: rounds.flat().length,
    bill: withLost(rounds.reduce(withTurn, noBill), lostUsd),
    refused: 0,
    ...ending,
  })
  const agentTask = { model, instructions: instructionsFor(parts.key), tools: agentTools, maxOutputTokens, isOpenai }
  const entries: JsonObject[] = [dialect.asked(task.prompt)]
  try {
    while (counts.turns < Math.min(task.maxTurns, parts.maxTurns)) {
      rounds.push([])
      const { reply, rehydrations } = await door(dialect.body(agentTask, entries), signal)
      const heard = dialect.heard(reply)
      if (heard === undefined) return played({ end: 'error', detail: 'the reply holds no message' })
      counts.turns += 1
      counts.rehydrations += rehydrations
      if (heard.calls.length === 0) return played({ end: 'done' })
      const results: CallResult[] = []
      for (const call of heard.calls) {
        const output = await runTool(call.name, call.arguments, { task, work, signal })
        signal.throwIfAborted()
        results.push({ call, ...output })
      }
      counts.toolCalls += results.length
      entries.push(heard.entry, ...dialect.answered(results))
    }
    return played({ end: 'turns' })
  } catch (error) {
    return played(endingOf(error, signal, counts.turns === 0))
  }
}

interface Notes {
  heard(reply: LiveReply): void
  /** What tries without a reply may have cost. */
  lost(usd: number): void
}

/** The same provider, which also tells what each request came to. */
function noting(provider: LiveProvider, notes: Notes): LiveProvider {
  return {
    ...provider,
    async ask(body, signal) {
      const reply = await provider.ask(body, signal, notes.lost)
      notes.heard(reply)
      return reply
    },
  }
}

type Ending = Pick<Played, 'end' | 'detail' | 'refusal'> & { readonly refused?: number }

const hopeless: ReadonlySet<number> = new Set([401, 402, 403, 404])

/** What ended a run. A refusal of a context is an answer to what is asked here; an outage is not. */
function endingOf(error: unknown, signal: AbortSignal, isFirst: boolean): Ending {
  if (signal.aborted) return { end: 'interrupted' }
  if (error instanceof SpendingCapReached) return { end: 'cap', detail: error.message }
  if (!isPrehendError(error)) throw error
  const detail = error.message
  if (error.code !== 'upstream-refused') {
    return error.code.startsWith('upstream-') ? { end: 'error', detail } : { end: 'refused', refused: 1, detail }
  }
  const status = 'status' in error.data ? error.data.status : 0
  if (hopeless.has(status) || (isFirst && status < 429)) return { end: 'error', detail, refusal: error }
  return status === 408 || status === 429 || status >= 500
    ? { end: 'error', detail }
    : { end: 'refused', refused: 1, detail }
}
