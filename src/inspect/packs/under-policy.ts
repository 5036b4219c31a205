import { isPrehendError, rehydrateToolName } from '../../core/index.ts'
import type { CompileInput, CompileResult, Ledger, Manifest, PackEntry, Policy } from '../../core/index.ts'
import { compileAgain } from '../../sessions/index.ts'
import type { CompileAgain } from '../../sessions/index.ts'
import type { BillingRules } from '../billing-rules.ts'
import type { Bill } from '../cache-bill.ts'
import { carriedLedgers } from '../carried-ledgers.ts'
import type { RenderedMessage } from '../render.ts'

/** One recorded request of a session: what was compiled, and what came of it. */
export interface RecordedCompile {
  readonly input: CompileInput
  readonly manifest: Manifest
  /** Whether a provider has answered it; what was decided for one that nobody answered is not kept. */
  readonly isAnswered: boolean
}

/** What one request comes to under a policy. */
export interface PackedAgain {
  /** Absent where the policy would not let such a pack out. */
  readonly result?: CompileResult
  /** Whether the pack is the recorded one, to the byte. */
  readonly isSame: boolean
  /** Whether it would be sent as it came: nothing fits, or the pack must not go out. */
  readonly asItCame: boolean
  /** In plain input tokens, by the rules that were given; with the frame of the request. */
  readonly bill: Bill
}

/** A session that is packed again, its requests in their order. */
export interface SessionUnder {
  /** Under a policy; as it was recorded, with its own policy and the decisions of the record, where there is none. */
  next(recorded: RecordedCompile, policy?: Policy): PackedAgain
}

/**
 * Packs the recorded requests of a session as a policy would have packed them, had it been in force: windows, tools, prices and times are those of
 * the record, and what a policy decides is carried on from request to request.
 */
export function sessionUnder(
  { openCache }: Pick<BillingRules, 'openCache'>,
  compile: CompileAgain = compileAgain,
): SessionUnder {
  const cache = openCache()
  const carried = carriedLedgers()
  const messages = billedMessages()
  let isOwn = true
  return {
    next(recorded, policy) {
      const { input, manifest, isAnswered } = recorded
      const before = carried.before(input.items)
      const ledger = isOwn ? input.ledger : before
      const again = policy ? underPolicy(carried.offered() ? offered(input) : input, policy, ledger) : input
      const result = attempt(() => compile(again, manifest))
      isOwn &&= policy === undefined
      const offers = hasTool(again) || result?.manifest.offers === true
      if (result && isAnswered) carried.after(input.items, result.ledger, offers)
      const entries = result?.outcome.kind === 'paginated' ? undefined : result?.pack?.entries
      return {
        ...(result && { result }),
        isSame: result?.pack?.hash === manifest.packHash,
        asItCame: entries === undefined,
        bill: cache.bill(
          messages({ input, manifest: result?.manifest ?? manifest, offers }, entries),
          input.nowMs ?? 0,
        ),
      }
    },
  }
}

/** The request of a session that has come to offer our tool. */
function offered({ budget: { offerTokens, ...budget }, ...input }: CompileInput): CompileInput {
  if (offerTokens === undefined) return { ...input, budget }
  const { overheadTokens = 0, ownTokens = 0 } = budget
  const added = { overheadTokens: overheadTokens + offerTokens, ownTokens: ownTokens + offerTokens }
  return { ...input, budget: { ...budget, ...added } }
}

function hasTool({ rehydration = false, budget }: CompileInput): boolean {
  return rehydration && budget.offerTokens === undefined
}

function underPolicy(
  { ledger: _ledger, ...input }: CompileInput,
  policy: Policy,
  ledger: Ledger | undefined,
): CompileInput {
  return { ...input, policy, ...(ledger && { ledger }) }
}

function attempt(compile: () => CompileResult): CompileResult | undefined {
  try {
    return compile()
  } catch (error) {
    if (isPrehendError(error) && error.code === 'compile-assertion') return undefined
    throw error
  }
}

interface Framed extends Omit<RecordedCompile, 'isAnswered'> {
  /** Whether our tool stands in its frame. */
  readonly offers: boolean
}

/** What is billed: a message for each item that is sent, the same object while it stays as it is, and one for the frame. */
function billedMessages() {
  const known = new Map<string, RenderedMessage>()
  const message = (id: string, { role, text, tokens }: Pick<RenderedMessage, 'role' | 'text' | 'tokens'>) => {
    const found = known.get(id)
    if (found?.text === text && found.tokens === tokens) return found
    const made: RenderedMessage = { role, text, tokens, sourceId: id, observation: false, parts: [] }
    known.set(id, made)
    return made
  }
  return (
    { input, manifest, offers }: Framed,
    entries: readonly PackEntry[] | undefined,
  ): readonly RenderedMessage[] => {
    const ours = offers ? rehydrateToolName : ''
    const frame = message('', { role: 'system', text: ours, tokens: manifest.overheadTokens })
    const items = new Map(input.items.map((item) => [item.id, item]))
    const shown = entries ?? asTheyCame(input, manifest)
    return [
      frame,
      ...shown.map(({ itemId, text, tokens }) =>
        message(itemId, { role: items.get(itemId)?.role ?? 'user', text, tokens }),
      ),
    ]
  }
}

function asTheyCame(
  { items }: CompileInput,
  { decisions }: Manifest,
): readonly Pick<PackEntry, 'itemId' | 'text' | 'tokens'>[] {
  const tokens = new Map(decisions.map(({ itemId, originalTokens }) => [itemId, originalTokens]))
  return items.map(({ id, text }) => ({ itemId: id, text, tokens: tokens.get(id) ?? 0 }))
}
