import type { MissedLimit } from './step-limits.ts'
import type { QualityBreach } from './quality.ts'
import type { EpochRecord, SecurityFinding, TruncationEvent } from './manifest.ts'

/** What the compiler tells its host, in the order it happened. */
export type CompileEvent =
  | { readonly type: 'context:assembled'; readonly turn: number; readonly sections: number; readonly tokens: number }
  | {
      readonly type: 'context:compacted'
      readonly originalTokens: number
      readonly compactedTokens: number
      readonly sections: readonly string[]
    }
  | { readonly type: 'context:truncated'; readonly event: TruncationEvent }
  | { readonly type: 'context:epoch'; readonly record: EpochRecord }
  /** The regime is another than at the session's last request; told once. */
  | {
      readonly type: 'context:regime-override'
      readonly previousRegime: string | null
      readonly newRegime: string | null
      /** Tokens that each section was granted under the new one. */
      readonly allocationsApplied: Readonly<Record<string, number>>
    }
  /** A text that is suspected to hold orders, and what was done about it. */
  | { readonly type: 'security'; readonly finding: SecurityFinding }
  /** A section of which less is left than should be. */
  | { readonly type: 'context:fidelity'; readonly section: string; readonly fidelity: number }
  /** A measure of the pack that is out of bounds. */
  | { readonly type: 'context:quality'; readonly breach: QualityBreach }

/** A step has taken more than it may; told once for each limit. */
export interface StepOverrun {
  readonly type: 'step:limits-missed'
  readonly taskId?: string
  readonly stepId?: string
  readonly missed: readonly MissedLimit[]
}

/** One member of a policy that has changed; absent where there was or is none. */
export interface PolicyChange {
  readonly path: readonly string[]
  readonly before?: unknown
  readonly after?: unknown
}

/** A policy has changed; the events of a policy in their order give it back. */
export interface PolicyUpdate {
  readonly type: 'context:policy-updated'
  readonly policyId: string
  /** Higher than that of any event of this policy before. */
  readonly revision: number
  /** What has led to it, in the host's words. */
  readonly trigger: string
  /** All of the change. */
  readonly delta: readonly PolicyChange[]
}

/** What outcomes have taught has changed how requests are compiled; told once for each change. */
export interface FeedbackLoop {
  readonly type: 'context:feedback-loop'
  readonly loopId: string
  /** Outcomes that the loop has learnt from by now. */
  readonly tick: number
  /** Of these, those since it was told of last. */
  readonly recordCount: number
  readonly adjustments: readonly PolicyChange[]
}

/** A session loses more by each further compaction, or its trigger is exceeded: a new session from a briefing does better. */
export interface HandoffAdvice {
  readonly type: 'session:handoff-advised'
  readonly cause: 'compactions' | 'utilization' | 'token_count'
  readonly compactions: number
}

/** Everything that a host can be told of its sessions. */
export type SessionEvent = CompileEvent | PolicyUpdate | StepOverrun | FeedbackLoop | HandoffAdvice

/** The types of all that a host can be told. */
export const sessionEventTypes = Object.keys({
  'context:assembled': true,
  'context:compacted': true,
  'context:truncated': true,
  'context:epoch': true,
  'context:regime-override': true,
  'context:policy-updated': true,
  'context:feedback-loop': true,
  'context:fidelity': true,
  'context:quality': true,
  'security': true,
  'step:limits-missed': true,
  'session:handoff-advised': true,
} satisfies Readonly<Record<SessionEvent['type'], true>>) as readonly SessionEvent['type'][]
