export const reliefSteps = [
  'lossless',
  'schemas',
  'mask',
  'dedupe',
  'episodes',
  'prune',
  'compress',
  'compress-memory',
  'compress-evidence',
  'compress-history',
  'tool-examples',
  'step-notes',
  'drop-memory',
  'drop-evidence',
  'drop-history',
  'evict',
  'evict-stale',
  'disclose',
  'mask-episodes',
  'in-proportion',
  'acknowledgements',
  'repeats',
  'superseded',
  'subtasks',
  'preferences',
] as const
/** What may be done for want of room, in a vocabulary of small steps; each goes as far as needed and no further. */
export type ReliefStep = (typeof reliefSteps)[number]

export const reliefProfiles = {
  'ladder': [
    'lossless',
    'schemas',
    'mask',
    'dedupe',
    'compress-memory',
    'compress-evidence',
    'compress-history',
    'tool-examples',
    'step-notes',
    'evict',
  ],
  'proactive': ['schemas', 'mask', 'dedupe', 'episodes'],
  'step-pack': [
    'compress-memory',
    'compress-evidence',
    'tool-examples',
    'step-notes',
    'drop-memory',
    'drop-evidence',
    'drop-history',
  ],
  'prune-compress-evict': ['prune', 'compress', 'evict'],
  'hygiene': ['prune', 'compress', 'evict-stale'],
  'episodes': ['mask-episodes', 'prune', 'compress', 'evict'],
  'state': ['mask-episodes', 'in-proportion', 'evict'],
  'disclosure': ['disclose', 'compress-history', 'drop-history'],
  'by-risk': [
    'lossless',
    'acknowledgements',
    'dedupe',
    'repeats',
    'superseded',
    'subtasks',
    'step-notes',
    'compress',
    'evict',
    'preferences',
  ],
} as const satisfies Readonly<Record<string, readonly ReliefStep[]>>
/** Orders of steps by name. */
export type ReliefProfile = keyof typeof reliefProfiles

/** The steps of a policy in their order: by the name of a profile, or one by one. */
export type ReliefPolicy = ReliefProfile | readonly ReliefStep[]

/** The steps that a policy names; undefined where it leaves the order to the compiler. */
export function reliefStepsOf(relief: ReliefPolicy | undefined): readonly ReliefStep[] | undefined {
  return typeof relief === 'string' ? reliefProfiles[relief] : relief
}

export const omissionRisks = [
  'formatting',
  'acknowledgement',
  'repeat',
  'superseded',
  'finished',
  'preference',
] as const
/** What a reader may miss by an omission, the least first. */
export type OmissionRisk = (typeof omissionRisks)[number]

/** The steps that leave out things of one such kind. */
export const riskOfStep: Readonly<Partial<Record<ReliefStep, OmissionRisk>>> = {
  'lossless': 'formatting',
  'acknowledgements': 'acknowledgement',
  'dedupe': 'repeat',
  'repeats': 'repeat',
  'superseded': 'superseded',
  'subtasks': 'finished',
  'step-notes': 'finished',
  'preferences': 'preference',
}

/** One step that has made room. */
export interface ReliefStepRecord {
  readonly step: ReliefStep
  /** What it leaves out, where that is of one kind. */
  readonly risk?: OmissionRisk
  /** The section that exceeded its maximum, where the step was taken for it alone. */
  readonly section?: string
  /** Tokens of the whole pack; the second is always the smaller. */
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/** What was done for want of room by a policy that names the steps. */
export interface ReliefRecord {
  readonly profile?: ReliefProfile
  /** In the order in which they were taken; those that could make no room are absent. */
  readonly steps: readonly ReliefStepRecord[]
  /** False where what the steps left did not fit and the policy of overflow had to see to it. */
  readonly enough: boolean
}
