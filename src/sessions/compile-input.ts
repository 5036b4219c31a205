import type {
  CachePrices,
  CompactionOrder,
  CompileInput,
  Conversation,
  GivenSummary,
  Item,
  Ledger,
  Policy,
  MediaMaking,
  ProviderEditing,
  SessionLengths,
  Situation,
} from '../core/index.ts'
import { cachePricesOf, conversationOverhead } from '../tokens/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import { heardItems } from './heard-items.ts'
import { turnOverhead } from './turn-overhead.ts'
import type { HiddenTool } from './tools/hidden-tool.ts'

/** What a turn of a session is compiled by, whatever is known of its model. */
interface TurnOptions {
  readonly policy: Policy
  readonly situation?: Situation | undefined
  /** Our own tools, and of them those that the request offers; without one nothing may be shown that must be asked for. */
  readonly known: readonly HiddenTool[]
  readonly tools: readonly HiddenTool[]
  readonly handleKey?: string
  readonly nowMs?: number | undefined
  readonly ledger?: Ledger | undefined
  /** Summaries of its blocks that somebody has written. */
  readonly summaries?: readonly GivenSummary[] | undefined
  /** How long earlier sessions of the same kind were. */
  readonly sessionLengths?: SessionLengths | undefined
  /** What the tenant's other sessions have saved together. */
  readonly tenantCredit?: number | undefined
  /** When it is compacted, in place of the policy's own rule. */
  readonly compaction?: CompactionOrder | undefined
  /** What can be made of media. */
  readonly making?: MediaMaking | undefined
}

export interface InputOptions extends TurnOptions {
  readonly conversation: Conversation
  /** As the client has sent it; the same by default. */
  readonly client?: Conversation
  readonly info: ModelInfo
  /** Instead of the model's own window. */
  readonly windowTokens?: number
  /** Tools that the request comes to offer where something in it needs them. */
  readonly ifNeeded?: readonly HiddenTool[]
}

export interface TurnFacts extends TurnOptions {
  readonly items: readonly Item[]
  readonly windowTokens: number
  /** What the request costs beside its items. */
  readonly overheadTokens: number
  /** The part of it that is there because of us. */
  readonly ownTokens: number
  /** What the tool that follows handles would add, where the request does not offer it yet. */
  readonly offerTokens?: number | undefined
  readonly maxOutputTokens?: number | undefined
  readonly model?: string
  readonly prices?: CachePrices | undefined
  readonly editing?: ProviderEditing | undefined
}

/** What is compiled for a conversation, so that the same body counts and compiles the same everywhere. */
export function compileInput({
  conversation,
  client = conversation,
  info,
  windowTokens,
  ifNeeded = [],
  ...options
}: InputOptions): CompileInput {
  const { items, model, maxOutputTokens, editing } = conversation
  return turnInput({
    ...options,
    items,
    model,
    maxOutputTokens,
    windowTokens: windowTokens ?? info.windowTokens,
    ...turnOverhead({ conversation, client, offered: options.tools, ifNeeded }, (shape) =>
      conversationOverhead(shape, info),
    ),
    prices: cachePricesOf(info),
    editing,
  })
}

/** The one place where the input of a session's turn is put together. */
export function turnInput(facts: TurnFacts): CompileInput {
  const {
    items,
    windowTokens,
    policy,
    known,
    tools,
    model,
    maxOutputTokens,
    prices,
    editing,
    handleKey,
    nowMs,
    ledger,
    situation,
  } = facts
  return {
    items: heardItems(items, editing),
    budget: {
      windowTokens,
      overheadTokens: facts.overheadTokens,
      ...(facts.ownTokens > 0 && { ownTokens: facts.ownTokens }),
      ...(facts.offerTokens !== undefined && { offerTokens: facts.offerTokens }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    },
    policy,
    layout: 'messages',
    hiddenTools: known.map(({ definition }) => definition.name),
    rehydration: facts.offerTokens !== undefined || tools.some(({ bringsBack }) => bringsBack === true),
    ...(model !== undefined && { model }),
    ...(nowMs !== undefined && { nowMs }),
    ...(handleKey !== undefined && { handleKey }),
    ...(ledger && { ledger }),
    ...(facts.summaries?.length && { summaries: facts.summaries }),
    ...(facts.compaction && { compaction: facts.compaction }),
    ...(facts.making && { making: facts.making }),
    ...(situation && { situation }),
    ...(prices && { prices }),
    ...(editing && { editing }),
    ...(facts.sessionLengths && { sessionLengths: facts.sessionLengths }),
    ...(facts.tenantCredit !== undefined && { tenantCredit: facts.tenantCredit }),
  }
}
