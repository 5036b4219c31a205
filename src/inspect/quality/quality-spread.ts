import { qualityMeasures } from '../../core/index.ts'
import type { QualityMeasure, QualityRecord } from '../../core/index.ts'

/** How one measure lies over many packs. */
export interface QualitySpread {
  readonly measure: QualityMeasure
  /** Packs of which it was measured. */
  readonly packs: number
  /** Nearest ranks; null where it was measured of none. */
  readonly least: number | null
  readonly p5: number | null
  readonly p10: number | null
  readonly median: number | null
  readonly p90: number | null
  readonly p95: number | null
  readonly most: number | null
  /** Packs that were judged by it, and those of them that were out of bounds. */
  readonly judged: number
  readonly breaches: number
}

/** Gathers what packs were found to be. */
export interface QualityTally {
  add(record: QualityRecord): void
  spreads(): readonly QualitySpread[]
}

export function qualityTally(): QualityTally {
  const values = new Map<QualityMeasure, number[]>(qualityMeasures.map((measure) => [measure, []]))
  const unjudged = new Map<QualityMeasure, number>()
  const breaches = new Map<QualityMeasure, number>()
  const count = (counts: Map<QualityMeasure, number>, measure: QualityMeasure): void =>
    void counts.set(measure, (counts.get(measure) ?? 0) + 1)
  return {
    add(record) {
      for (const measure of qualityMeasures) {
        const value = record.measures[measure]
        if (value !== undefined) values.get(measure)?.push(value)
        if (record.notJudged?.[measure] !== undefined) count(unjudged, measure)
      }
      for (const { measure } of record.breaches ?? []) count(breaches, measure)
    },
    spreads: () =>
      qualityMeasures.map((measure) => {
        const sorted = (values.get(measure) ?? []).toSorted((a, b) => a - b)
        const at = (share: number): number | null => sorted[Math.ceil(share * sorted.length) - 1] ?? sorted[0] ?? null
        return {
          measure,
          packs: sorted.length,
          least: at(0),
          p5: at(0.05),
          p10: at(0.1),
          median: at(0.5),
          p90: at(0.9),
          p95: at(0.95),
          most: at(1),
          judged: sorted.length - (unjudged.get(measure) ?? 0),
          breaches: breaches.get(measure) ?? 0,
        }
      }),
  }
}
