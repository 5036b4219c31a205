import { newFindings } from '../../compiler/index.ts'
import { qualityMeasures } from '../../core/index.ts'
import type { CompileEvent, Manifest, PrehendError, QualityBreach, QualityRecord } from '../../core/index.ts'
import type { GatewayParts } from '../parts.ts'
import type { LogFields } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { metricOf } from './quality-metrics.ts'

/** A compile, and whose it was. */
interface Compiled {
  readonly tenant: string
  readonly session: string
  readonly requestId: string
  readonly manifest: Manifest
  readonly events: readonly CompileEvent[]
}

/** Tells whoever reads along what has happened, and the log what somebody should look at. Never a text itself. */
export function tellCompile(parts: Pick<GatewayParts, 'logger' | 'events' | 'metrics'>, compiled: Compiled): void {
  const { tenant, session, requestId, manifest, events } = compiled
  for (const event of events) {
    parts.events.tell({ tenant, session, requestId, event })
    if (event.type !== 'context:regime-override') continue
    const { previousRegime, newRegime, allocationsApplied } = event
    parts.logger.info('regime-override', {
      requestId,
      previousRegime: previousRegime ?? '',
      newRegime: newRegime ?? '',
      allocationsApplied: JSON.stringify(allocationsApplied),
    })
  }
  if (manifest.quality) observeQuality(parts.metrics, manifest.quality)
  for (const breach of manifest.quality?.breaches ?? [])
    parts.logger.warn('quality', { requestId, ...breachFields(breach) })
  for (const { itemId, score, reasons, action } of newFindings(manifest))
    parts.logger.warn('security', { requestId, itemId, score, action, reasons: reasons.join(', ') })
}

/** Of a request that its policy does not let out: the log has why, and it is counted. */
export function tellRejected(
  parts: Pick<GatewayParts, 'logger' | 'metrics'>,
  requestId: string,
  { data }: PrehendError,
): void {
  if (!('breaches' in data)) return
  for (const breach of data.breaches) {
    parts.metrics.qualityBreaches.inc({ measure: breach.measure, action: 'reject' })
    parts.logger.warn('quality', { requestId, action: 'reject', ...breachFields(breach) })
  }
}

/** Counts what a pack was found to be. */
function observeQuality(metrics: Metrics, { measures, breaches = [] }: QualityRecord): void {
  for (const measure of qualityMeasures) {
    const value = measures[measure]
    if (value !== undefined) metrics[metricOf(measure)].observe(value)
  }
  for (const { measure } of breaches) metrics.qualityBreaches.inc({ measure, action: 'warn' })
}

/** What the log says of a measure that is out of bounds. */
function breachFields({ measure, value, least, most }: QualityBreach): LogFields {
  return { measure, value, least, most }
}
