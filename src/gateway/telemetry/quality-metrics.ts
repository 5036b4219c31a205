import { qualityMeasures } from '../../core/index.ts'
import type { QualityMeasure } from '../../core/index.ts'
import type { Spread } from './spread.ts'

/** The name of a measure's histogram among the metrics. */
export type QualityMetric = `quality${Capitalize<QualityMeasure>}`

/** A histogram for each measure of a pack. */
export type QualityMetrics = { readonly [Name in QualityMetric]: Spread }

type MakeHistogram = (name: string, help: string, bounds: readonly number[]) => Spread

const shares = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 0.85, 0.9, 0.95, 1]

export const qualityMetricNames: readonly QualityMetric[] = qualityMeasures.map(metricOf)

export function metricOf(measure: QualityMeasure): QualityMetric {
  return `quality${measure.charAt(0).toUpperCase()}${measure.slice(1)}` as QualityMetric
}

export function qualityMetrics(histogram: MakeHistogram): QualityMetrics {
  const made = qualityMeasures.map((measure) => {
    const name = `quality_${measure.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
    return [metricOf(measure), histogram(name, `Of packs, where policies have them measured: ${measure}.`, shares)]
  })
  return Object.fromEntries(made) as QualityMetrics
}
