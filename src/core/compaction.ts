import * as shape from './shape.ts'

export const compactionStrategies = ['compact', 'handoff'] as const
/** What is done once a conversation has grown too long: old messages become a brief in place, or a new session starts from a briefing. */
export type CompactionStrategy = (typeof compactionStrategies)[number]

/** What is measured: the prompt as a share of the window less the reserve for the reply, the prompt in tokens, or nothing. */
export const compactionTriggers = ['utilization', 'token_count', 'manual'] as const

/** The measure that starts a compaction, and its threshold. */
export interface CompactionTrigger {
  readonly type: (typeof compactionTriggers)[number]
  /** Of `utilization` a share, 0.8 by default; of `token_count` tokens. A prompt that takes exactly so much is not compacted. */
  readonly value?: number
}

/** How a session is compacted. */
export interface CompactionConfig {
  /** `compact` by default. */
  readonly strategy?: CompactionStrategy
  /** The policy's own rule (`epochs.compaction`) decides by default; a trigger takes its place. */
  readonly trigger?: CompactionTrigger
  /** Newest messages that stay as they are; 6 by default. */
  readonly preserveRecent?: number
  /** Tokens of the brief, or of the briefing of a handoff; 2,000 by default. */
  readonly summaryBudget?: number
  /** For the model that writes a briefing. */
  readonly customInstructions?: string
}

export const usualCompaction = { preserveRecent: 6, summaryBudget: 2000, utilization: 0.8 } as const

/** When a conversation is compacted in place, and what of it stays; goes into a compile. */
export interface CompactionOrder extends Pick<CompactionConfig, 'trigger' | 'preserveRecent' | 'summaryBudget'> {
  /** Names an order to compact with this request, whatever it takes; one of this name is carried out once. */
  readonly now?: string
}

/** What a session's ledger keeps of its compactions. */
export interface CompactionState {
  /** Compactions in place so far. */
  readonly count: number
  /** The last order that was carried out. */
  readonly order?: string
  /** Whether its trigger has fired and the prompt has not fallen below it again; it does not fire until then. */
  readonly fired?: boolean
}

export const compactionCauses = ['ordered', 'utilization', 'token_count', 'rent', 'cold-cache', 'full-window'] as const
/** Why a conversation was compacted: an order, its trigger, or the policy's rule. */
export type CompactionCause = (typeof compactionCauses)[number]

/** What a compaction in place did. */
export interface CompactionRecord {
  readonly cause: CompactionCause
  /** The session's compactions, this one included. */
  readonly count: number
  /** What the request would have taken without it, and what it takes. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Tokens of the briefs that stand for what has gone. */
  readonly briefTokens: number
  /** Items that are not shown any more, or only as part of a brief. */
  readonly items: number
  /** Brings back what this compaction left out. */
  readonly handles: readonly string[]
  /** What this request costs more than if nothing had changed, in input-token prices. */
  readonly price: number
  /** What holding on had cost until then, in the same; 0 where nobody counts it. */
  readonly rent: number
  /** Requests after which it has paid for itself; absent where reading costs nothing. */
  readonly paybackTurns?: number
}

/** What a trigger is held against. */
export interface PromptSize {
  readonly promptTokens: number
  /** The window less the reserve for the reply. */
  readonly roomTokens: number
}

/** Strictly above its value; `manual` never is. */
export function isAboveTrigger(trigger: CompactionTrigger, size: PromptSize): boolean {
  return trigger.type !== 'manual' && measured(trigger, size) > valueOf(trigger)
}

/** Whether the prompt has fallen so far that the trigger may fire again. */
export function isBelowTrigger(trigger: CompactionTrigger, size: PromptSize): boolean {
  const value = valueOf(trigger)
  return measured(trigger, size) < value - hysteresis * (trigger.type === 'utilization' ? 1 : value)
}

/** Of utilisation; of tokens it is a share of the value. */
const hysteresis = 0.15

function measured({ type }: CompactionTrigger, { promptTokens, roomTokens }: PromptSize): number {
  if (type === 'utilization') return roomTokens > 0 ? promptTokens / roomTokens : Infinity
  return promptTokens
}

function valueOf({ type, value }: CompactionTrigger): number {
  return value ?? (type === 'utilization' ? usualCompaction.utilization : Infinity)
}

const { amount, count, countFrom, flag, name, object, oneOf, optional } = shape

const triggerShape = object<CompactionTrigger>({ type: oneOf(compactionTriggers), value: optional(amount) })

export const compactionConfigShape = object<CompactionConfig>({
  strategy: optional(oneOf(compactionStrategies)),
  trigger: optional(triggerShape),
  preserveRecent: optional(count),
  summaryBudget: optional(countFrom(1)),
  customInstructions: optional(name),
})

export const compactionOrderShape = object<CompactionOrder>({
  trigger: optional(triggerShape),
  preserveRecent: optional(count),
  summaryBudget: optional(countFrom(1)),
  now: optional(name),
})

export const compactionStateShape = object<CompactionState>({
  count,
  order: optional(name),
  fired: optional(flag),
})
