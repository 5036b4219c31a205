import { newFindings } from '../../compiler/index.ts'
import type { CompileEvent, Manifest } from '../../core/index.ts'
import type { GatewayParts } from '../parts.ts'

/** A compile, and whose it was. */
interface Compiled {
  readonly tenant: string
  readonly session: string
  readonly requestId: string
  readonly manifest: Manifest
  readonly events: readonly CompileEvent[]
}

/** Tells whoever reads along what has happened, and the log what somebody should look at. Never a text itself. */
export function tellCompile(parts: Pick<GatewayParts, 'logger' | 'events'>, compiled: Compiled): void {
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
  for (const { itemId, score, reasons, action } of newFindings(manifest))
    parts.logger.warn('security', { requestId, itemId, score, action, reasons: reasons.join(', ') })
}
