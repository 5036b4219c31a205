import type { ModelTier } from './model-tier.ts'

/** How an agent feels, each from -1 to 1. */
export interface Affect {
  readonly pleasure: number
  readonly arousal: number
  readonly dominance: number
}

/**
 * What a request is part of, as far as its host says. It selects which of a policy's overrides hold. All names are the
 * host's own: a name that a policy does not know changes nothing.
 */
export interface Situation {
  readonly tenant?: string
  readonly taskClass?: string
  /** What an agent is at: `planning`, `executing`, `reviewing`, or a name of the host's. */
  readonly agentPhase?: AgentPhase | (string & {})
  /** Where in its life an agent is: `Thriving` to `Terminal`, or a name of the host's. */
  readonly lifecyclePhase?: LifecyclePhase | (string & {})
  /** What its surroundings are like. */
  readonly regime?: string
  readonly affect?: Affect
  /** What this one turn is for, `analyze`, `decide`, `execute`, `reflect`, or a name of the host's. */
  readonly turnPhase?: TurnPhase | (string & {})
  /** What kind of model answers. */
  readonly modelTier?: ModelTier
}

export const agentPhases = ['planning', 'executing', 'reviewing'] as const
/** The agent phases that are told apart without a host's help. */
export type AgentPhase = (typeof agentPhases)[number]

export const lifecyclePhases = ['Thriving', 'Conservation', 'Declining', 'Terminal'] as const
/** The phases of an agent's life that a policy of ours knows; others are a host's own. */
export type LifecyclePhase = (typeof lifecyclePhases)[number]

export const turnPhases = ['analyze', 'decide', 'execute', 'reflect'] as const
/** What a turn is for, as a policy of ours knows it; others are a host's own. */
export type TurnPhase = (typeof turnPhases)[number]
