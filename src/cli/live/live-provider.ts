import { setTimeout as pause } from 'node:timers/promises'
import { PrehendError, isJsonObject, isPrehendError } from '../../core/index.ts'
import type { JsonObject, Usage } from '../../core/index.ts'
import { codecFor, gatheredBytes } from '../../codecs/index.ts'
import type { UpstreamRoute } from '../../gateway/index.ts'
import { priceOf } from '../../tokens/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'
import type { AgentDialect } from './dialects/agent-dialect.ts'
import { worstUsd } from './spending.ts'
import type { Spending } from './spending.ts'

export interface LiveReply {
  readonly reply: JsonObject
  /** Absent where the provider reports nothing. */
  readonly usage?: Usage
  /** What was settled; absent where the model has no price. */
  readonly usd?: number
}

export interface LiveProvider {
  readonly dialect: AgentDialect
  /**
   * Sends a request, again after what is likely to pass. Rejects with `upstream-refused` and what `send` of an upstream says, with
   * `SpendingCapReached`, and with the signal's reason. `lost` is told what tries without a reply may have cost.
   */
  ask(body: JsonObject, signal: AbortSignal, lost?: (usd: number) => void): Promise<LiveReply>
}

/** The cap leaves no room for the next call. */
export class SpendingCapReached extends Error {}

export interface LiveProviderParts {
  readonly route: UpstreamRoute
  readonly dialect: AgentDialect
  readonly model: string
  readonly info: ModelInfo
  readonly maxOutputTokens: number
  readonly spending: Spending
  count(text: string): number
  /** Waits between tries; for tests. */
  readonly pauseMs?: number
}

const tries = 5
const usualPauseMs = 2000
const longestPauseMs = 60_000

export function liveProvider(parts: LiveProviderParts): LiveProvider {
  const { dialect, pauseMs = usualPauseMs } = parts
  return {
    dialect,
    async ask(body, signal, lost = () => undefined) {
      const text = JSON.stringify(body)
      for (let tried = 1; ; tried += 1) {
        const answer = await paid(parts, text, signal)
        if ('reply' in answer) return answer
        if (answer.usd > 0) lost(answer.usd)
        signal.throwIfAborted()
        if (tried === tries || !answer.mayPass) throw answer.error
        const wait = Math.max(answer.retryAfterMs, pauseMs * 2 ** (tried - 1))
        await pause(Math.min(longestPauseMs, wait), undefined, { signal })
      }
    },
  }
}

interface Failure {
  readonly error: unknown
  readonly mayPass: boolean
  readonly retryAfterMs: number
  /** What it may have cost. */
  readonly usd: number
}

/** One try: the worst that it can cost is set aside first. What became of a call that broke off is not known, so it counts as that much. */
async function paid(parts: LiveProviderParts, text: string, signal: AbortSignal): Promise<LiveReply | Failure> {
  const { info, maxOutputTokens, spending } = parts
  const worst = worstUsd(parts.count(text), maxOutputTokens, info)
  const reservation = await spending.reserve(worst ?? 0)
  if (reservation === undefined) throw new SpendingCapReached('the spending cap has no room for another call')
  let cost = worst ?? 0
  try {
    const answer = await sent(parts, text, signal)
    if ('error' in answer) {
      cost = 0
      return answer
    }
    cost = (answer.usage && priceOf(answer.usage, info)) ?? cost
    return { ...answer, ...(worst !== undefined && { usd: cost }) }
  } catch (error) {
    if (isPrehendError(error) && error.code === 'upstream-unreachable') cost = 0
    return { error, mayPass: isPrehendError(error) && error.code.startsWith('upstream-'), retryAfterMs: 0, usd: cost }
  } finally {
    reservation.settle(cost)
  }
}

async function sent(parts: LiveProviderParts, text: string, signal: AbortSignal): Promise<LiveReply | Failure> {
  const { route, dialect, model } = parts
  const { status, headers, body } = await route.upstream.send({
    method: 'POST',
    path: dialect.path(model),
    headers: { 'content-type': 'application/json', ...dialect.headers },
    body: text,
    signal,
  })
  const gathered = gatheredBytes()
  for await (const piece of body) gathered.add(piece)
  const said = new TextDecoder().decode(gathered.take())
  if (status < 200 || status > 299) {
    const retryAfterMs = 1000 * (Number(headers['retry-after']) || 0)
    return {
      error: refusal(status, said),
      mayPass: status === 408 || status === 429 || status >= 500,
      retryAfterMs,
      usd: 0,
    }
  }
  const reply = parsed(said)
  if (reply === undefined) {
    const remedy = 'Check that the address is that of a model API'
    throw new PrehendError('upstream-broken', `The provider's reply is not a JSON object. ${remedy}.`, { remedy })
  }
  const usage = codecFor(dialect.dialect).usageOf(said)
  return { reply, ...(usage && { usage }) }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const mostSaidChars = 500

function refusal(status: number, said: string): PrehendError<'upstream-refused'> {
  const remedy = 'Look at what the provider says'
  const message = `The provider answered ${status}: ${said.slice(0, mostSaidChars)}`
  return new PrehendError('upstream-refused', message, { status, said, remedy })
}
