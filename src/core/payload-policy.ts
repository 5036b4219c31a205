export const packRules = ['binding', 'cite', 'unknown', 'tools', 'data', 'precedence'] as const
/** The rules that a payload may state, each once. */
export type PackRule = (typeof packRules)[number]

export const rulePlaces = ['system', 'payload', 'none'] as const
/** Where the rules of a payload stand: in the system text, in the payload, or nowhere. */
export type RulePlace = (typeof rulePlaces)[number]

export const rankedPlacements = ['both-ends', 'best-last', 'best-first', 'arrival'] as const
/** How ranked items of a section are laid out: best at both ends, best last, best first, or as they came. */
export type RankedPlacement = (typeof rankedPlacements)[number]

/** How a payload is laid out and what it says of itself; says nothing of conversations. */
export interface PayloadPolicy {
  /** `system` by default. */
  readonly rules?: RulePlace
  /** Rules that are not stated. */
  readonly without?: readonly PackRule[]
  /** Hard constraints and what `policy` says stand at both ends: always, or in conversations of more than 20 messages. */
  readonly repeatCritical?: 'always' | 'long'
  /** By section; evidence stands best at both ends, everything else as it came by default. */
  readonly placement?: Readonly<Record<string, RankedPlacement>>
  /** Sections that stand last before the acceptance, in this order: of tools, evidence, memory, history, and those of one's own. */
  readonly last?: readonly string[]
  /** Acceptance is a list of boxes, and a rule says what to do next and when to stop. */
  readonly checklist?: boolean
  /** The model is asked to restate step and acceptance before it answers. */
  readonly recite?: boolean
  /** Every block that is subordinate to another says so, in each markup. */
  readonly labels?: boolean
  /** Constraints, phase and warnings stand in `<invariants>`, with a hash of the constraints; in other markups they stand as lines. */
  readonly invariants?: boolean
  /** The largest share of the pack that constraints may take, both copies counted; in [0, 1]. */
  readonly maxConstraintShare?: number
}
