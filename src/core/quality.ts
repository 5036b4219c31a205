export const qualityMeasures = [
  /** Share of the room for a request that it takes. */
  'utilisation',
  /** Share of its tokens that serve what is asked for, as far as words show it. */
  'signalDensity',
  /** Share of what evidence should say about its origin that it says. */
  'provenance',
  /** Share of its tokens that are instructions and constraints, every copy counted. */
  'constraintDensity',
  /** Share of its tokens that say again what stands before. */
  'duplication',
  /** What of it has aged, weighted by tokens. */
  'staleness',
  /** Share of it that is untrusted, weighted by how weakly it is isolated. */
  'surface',
  /** Share of what it stands for that a reader still has. */
  'fidelity',
] as const
/** What is measured of a pack; each in [0, 1]. */
export type QualityMeasure = (typeof qualityMeasures)[number]

/** Bounds of one measure; what lies on a bound is within. */
export interface QualityGate {
  readonly least?: number
  readonly most?: number
}

/** What each is held to where a policy names no other bounds. */
export const qualityTargets: Readonly<Record<QualityMeasure, QualityGate>> = {
  utilisation: { least: 0.85, most: 0.95 },
  signalDensity: { least: 0.7 },
  provenance: { least: 1 },
  constraintDensity: { most: 0.15 },
  duplication: { most: 0.05 },
  staleness: { most: 0.2 },
  surface: { most: 0.1 },
  fidelity: { least: 0.9 },
}

export const breachActions = ['warn', 'reject'] as const
/** What is done about a pack that is out of bounds. */
export type BreachAction = (typeof breachActions)[number]

export const fidelityWays = ['stated', 'entailed'] as const
/** How fidelity is told: by what the forms of items say of themselves, or by what of their statements still follows from what is shown. */
export type FidelityWay = (typeof fidelityWays)[number]

/** What packs are held to. */
export interface QualityPolicy {
  /** The measures that are judged, and their bounds, the usual ones where a gate says none; all of them where absent. */
  readonly gates?: Readonly<Partial<Record<QualityMeasure, QualityGate>>>
  /** `warn` by default; of tasks of class `safety-critical`, `reject`. */
  readonly onBreach?: BreachAction
  /** Packs of fewer tokens are not judged by what is a share of what is sent, surface excepted; 25,000 by default. */
  readonly minTokens?: number
  /** `stated` by default. */
  readonly fidelity?: FidelityWay
}

/** A measure that is out of bounds. */
export interface QualityBreach extends QualityGate {
  readonly measure: QualityMeasure
  readonly value: number
}

/** Why a measure was not judged: the pack is smaller than what its share is judged of, or there was room for everything. */
export type NotJudged = 'too-small' | 'room-to-spare'

/** The measures of a pack. Where there is nothing to measure, such as no evidence, one is absent. */
export interface QualityRecord {
  readonly measures: Readonly<Partial<Record<QualityMeasure, number>>>
  readonly notJudged?: Readonly<Partial<Record<QualityMeasure, NotJudged>>>
  /** In the order of the measures; absent where there is none. */
  readonly breaches?: readonly QualityBreach[]
}

/** Whether a policy has what is sent measured. */
export function measuresQuality({ quality, measureQuality }: MeasuringPolicy): boolean {
  return quality !== undefined || measureQuality === true
}

interface MeasuringPolicy {
  readonly quality?: QualityPolicy
  readonly measureQuality?: boolean
}
