/** Why the agent stopped: it said it was done, or what ended it. */
export const trialEnds = ['done', 'turns', 'refused', 'cap', 'error', 'interrupted'] as const
export type TrialEnd = (typeof trialEnds)[number]

/** Tokens and dollars of a run, by what was paid for. `usd` is absent where the model has no price. */
export interface TrialBill {
  /** Read for the full price. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly outputTokens: number
  /** Of all requests. */
  readonly usd?: number
  /** The part of `usd` that requests of ours cost: those that answer `rehydrate`. */
  readonly ownUsd?: number
}

/** One run of one task under one policy, as a line of the results file. */
export interface Trial {
  readonly schema: 'prehend.trial/1'
  readonly task: string
  readonly policy: string
  /** Counted from 1. All policies of one task and repeat form a block. */
  readonly repeat: number
  readonly end: TrialEnd
  /** Whether the hidden tests passed. */
  readonly solved: boolean
  /** Replies of the model that the agent saw. */
  readonly turns: number
  readonly toolCalls: number
  readonly rehydrations: number
  /** Requests that the policy or the provider refused. */
  readonly refused: number
  /** Requests that went to the provider, ours included. */
  readonly requests: number
  readonly bill: TrialBill
  readonly durationMs: number
  /** What went wrong, or the end of what the hidden tests printed. */
  readonly detail?: string
}

/** Whether a run says something about its policy. An outage or the spending cap does not: such runs are repeated on `--resume`. */
export function countsAsResult({ end }: Pick<Trial, 'end'>): boolean {
  return end === 'done' || end === 'turns' || end === 'refused'
}
