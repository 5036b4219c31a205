import type { Codec } from '../../codecs/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { billedFor, mostOf, noCall } from '../budgets/price-bounds.ts'
import type { CallAmounts, CallSize } from '../budgets/price-bounds.ts'
import type { CallCauses } from '../budgets/refusals.ts'
import type { OpenCall, RequestOutlay } from '../budgets/request-outlay.ts'
import { budgetFacts } from '../exchange/budget-facts.ts'
import { isUnread } from '../exchange/exchange.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { isSuccess } from '../outlet/reply.ts'
import type { Reply } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import { tokensOf } from '../recording/unsent-cost.ts'
import { settingsFor } from '../tenant-settings.ts'
import { choicesOf } from './choices-of.ts'
import { heardReply } from './heard-reply.ts'

/** A call of a provider that has room in its budgets. */
export interface ReservedCall {
  /** Waits for the answer; what cannot have been billed is given back. */
  awaited<Answer>(asking: Promise<Answer>): Promise<Answer>
  /** The reply, which settles the call when it is read, or left. */
  watched(reply: Reply): Reply
}

export interface CallSent {
  readonly codec: Codec
  readonly body: string | Buffer | undefined
}

/** Undefined where nothing is limited. Rejects with `rate-limited` or `unavailable`. */
export async function reservedCall(
  parts: GatewayParts,
  exchange: Exchange,
  { codec, body }: CallSent,
): Promise<ReservedCall | undefined> {
  const { kind, principal, conversation } = exchange
  if (kind !== 'messages' && kind !== 'forward') return undefined
  const ofRequest = exchange.outlay
  const outlay = ofRequest ?? parts.budgets.outlay({ principal, isRequest: false })
  if (outlay === undefined) return undefined
  const size = sizeOf(parts, exchange, { outlay, body })
  const most = kind === 'forward' ? noCall : mostOf(size)
  const least = kind === 'forward' ? noCall : mostOf({ ...size, outputTokens: 0 })
  const call = await outlay.reserve({
    most,
    least,
    isStream: conversation.stream,
    ...(kind !== 'forward' && { causes: causesOf(size, least) }),
  })
  const end = (spent: CallAmounts): void => {
    call.end(spent)
    // Nobody files what the gateway asks for itself.
    if (ofRequest === undefined) void outlay.close()
  }
  return watching(parts, exchange, { codec, call: { end }, least, size })
}

interface CallWatch extends Pick<CallSent, 'codec'> {
  readonly call: OpenCall
  readonly least: CallAmounts
  readonly size: Pick<ReturnType<typeof sizeOf>, 'promptTokens'>
}

function watching(parts: GatewayParts, exchange: Exchange, { codec, call, least, size }: CallWatch): ReservedCall {
  const { kind, tenant, trace, conversation } = exchange
  const spentFor = ({ usage, outputTokens }: Parameters<Parameters<typeof heardReply>[2]>[0]): CallAmounts => {
    const info = parts.catalogueOf(tenant).info(trace.answeredBy.at(-1) ?? conversation.model)
    const told = usage && { ...usage, outputTokens: Math.max(usage.outputTokens, outputTokens) }
    const counted = { inputTokens: size.promptTokens, outputTokens }
    return billedFor(told, info) ?? billedFor(counted, info) ?? least
  }
  return {
    async awaited(asking) {
      try {
        return await asking
      } catch (error) {
        call.end(isUnsent(error) ? noCall : least)
        throw error
      }
    },
    watched(reply) {
      if (!isSuccess(reply) || kind === 'forward') {
        call.end(noCall)
        return reply
      }
      const { replyBytes } = settingsFor(parts.config, tenant).limits
      const { model } = conversation
      const heard = { codec, replyBytes, catalogue: parts.catalogueOf(tenant), model }
      return heardReply(reply, heard, (end) => call.end(spentFor(end)))
    },
  }
}

/** Whether a provider cannot have seen a request. */
function isUnsent(error: unknown): boolean {
  if (!isPrehendError(error)) return false
  if (error.code === 'upstream-unreachable' || error.code === 'not-configured') return true
  return error.code === 'upstream-timeout' && 'phase' in error.data && error.data.phase === 'connect'
}

function causesOf(size: CallSizes, ofPrompt: CallAmounts): CallCauses {
  const { choices, isBounded, outputTokens } = size
  return { ofPrompt, withOne: mostOf({ ...size, outputTokens: outputTokens / choices }), choices, isBounded }
}

interface CallSizes extends CallSize {
  /** Answers that it asks for. */
  readonly choices: number
  /** Whether the request says how long an answer may be. */
  readonly isBounded: boolean
}

interface Sent {
  readonly outlay: RequestOutlay
  readonly body: string | Buffer | undefined
}

/** Tokens for each character of what nobody has counted, at most. */
const mostTokensOfChar = 0.5

function sizeOf(parts: GatewayParts, exchange: Exchange, { outlay, body }: Sent): CallSizes {
  const { tenant, conversation, trace } = exchange
  const catalogue = parts.catalogueOf(tenant)
  const infos = [...new Set([conversation.model, ...(conversation.models ?? [])])].map((model) => catalogue.info(model))
  const chars = body?.length ?? 0
  const added = Math.max(0, chars - (outlay.firstChars ??= chars)) * mostTokensOfChar
  const prompt = isUnread(exchange)
    ? chars * mostTokensOfChar
    : (exchange.promptTokens ?? tokensOf(catalogue, conversation)) + added
  if (infos.some(({ prices }) => prices === undefined)) trace.note(budgetFacts, { isDearestPrice: true })
  const ofConfig = outlay.scopes.map(({ limits }) => limits.outputTokens ?? 0)
  const usual = Math.max(...ofConfig) || Math.max(...infos.map(({ maxOutputTokens }) => maxOutputTokens))
  const output = conversation.maxOutputTokens ?? usual
  const choices = choicesOf(body)
  const isBounded = conversation.maxOutputTokens !== undefined
  return { infos, promptTokens: Math.ceil(prompt), outputTokens: output * choices, choices, isBounded }
}
