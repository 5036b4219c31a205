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
  /** A text that is suspected to hold orders, and what was done about it. */
  | { readonly type: 'security'; readonly finding: SecurityFinding }
  /** A section of which less is left than should be. */
  | { readonly type: 'context:fidelity'; readonly section: string; readonly fidelity: number }
