import type { CompileInput, WireExchange, Manifest, WholeReason, WhyWhole } from '../core/index.ts'
import { rehydrateToolName, wholeSentences } from '../core/index.ts'
import { pricesFor } from '../compiler/index.ts'

export interface CompiledRequest {
  readonly exchange: WireExchange
  readonly input: CompileInput
  readonly manifest: Manifest
  /** Whether settings allow the tool that brings back what is left out. */
  readonly rehydrates: boolean
}

/** Why a conversation is sent whole. Undefined where something of it is shortened, and for a request that is no conversation. */
export function whyWhole({ exchange, input, manifest, rehydrates }: CompiledRequest): WhyWhole | undefined {
  if (manifest.epoch === undefined || input.layout !== 'messages') return undefined
  if (manifest.decisions.some(({ rung }) => rung !== 'full')) return undefined
  if (input.policy.epochs.lowestRung === 'lossless') return { reason: 'policy' }
  if (input.rehydration !== true) return { reason: rehydrates ? whyNoTool(exchange) : 'switched-off' }
  const { cause } = manifest.epoch
  if (cause !== 'no-gain' && cause !== 'no-credit') return { reason: whyNothingToDo(input, manifest) }
  const untilMs = warmUntil(input)
  return untilMs === undefined ? { reason: 'would-not-pay' } : { reason: 'cache-warm', untilMs }
}

function whyNoTool({ conversation, wire }: WireExchange): WholeReason {
  if (conversation.tools.some(({ name }) => name === rehydrateToolName)) return 'name-taken'
  if (wire.hasMostTools === true) return 'most-tools'
  const hasTools = wire.keepsTool || conversation.items.some(({ kind }) => kind === 'tool-schema')
  return hasTools ? 'tool-choice' : 'no-tools'
}

/** Tokens from which a result or a call is worth a handle. */
const longTokens = 60
/** Tokens from which what the user sends is more than a question. */
const longUserTokens = 500

function whyNothingToDo({ items }: CompileInput, { decisions }: Manifest): WholeReason {
  const found = new Map(items.map((item) => [item.id, item]))
  let userTokens = 0
  for (const { itemId, originalTokens } of decisions) {
    const { kind, role } = found.get(itemId) ?? {}
    if (originalTokens < longTokens) continue
    if (kind === 'tool-result' || kind === 'tool-call') return 'nothing-old'
    if (kind === 'text' && role === 'user') userTokens += originalTokens
  }
  return userTokens >= longUserTokens ? 'only-user-text' : 'nothing-long'
}

/** When the cache that this request reads expires; undefined where it was cold. */
function warmUntil(input: CompileInput): number | undefined {
  const { ledger, nowMs } = input
  const { ttlMs } = pricesFor(input)
  const lastMs = ledger?.lastRequestMs
  if (lastMs === undefined || nowMs === undefined) return undefined
  return nowMs - lastMs > ttlMs ? undefined : nowMs + ttlMs
}

/** The reason as a sentence, with the time at which a cached prompt expires. */
export function whyWholeText({ reason, untilMs }: WhyWhole): string {
  const until = untilMs === undefined ? '' : ` The cache is warm until ${new Date(untilMs).toISOString()}.`
  return wholeSentences[reason] + until
}
