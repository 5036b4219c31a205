import { sweepArtifacts } from '../../sessions/index.ts'
import { addedPruned } from '../../stores/index.ts'
import type { Retention } from '../../stores/index.ts'
import type { GatewayConfig } from '../config.ts'
import type { JobKind } from '../jobs/job.ts'
import type { GatewayParts } from '../parts.ts'

const everyMs = 60_000
const dayMs = 86_400_000

const saving: JobKind = { name: 'calibration', atDrain: 'abort' }
/** One process prunes a store; another takes over when that one has ended. */
const pruning: JobKind = { name: 'prune', leaseMs: 5 * everyMs, atDrain: 'abort' }
/** Drops the bytes of artifacts that are gone. */
const sweeping: JobKind = { name: 'sweep', leaseMs: 5 * everyMs, atDrain: 'abort' }
const sweepMs = 10 * everyMs

/** How long what is stored is kept, by the words of a configuration. */
function retentionOf({ retention, tenants }: GatewayConfig): Retention {
  const { sessionIdleDays, receiptDays, maxReceipts, auditDays } = retention
  const { evidenceDays, manifestDays, rawDays } = retention
  const own = Object.entries(tenants).flatMap(([tenant, { retention: said }]) =>
    said
      ? [
          [
            tenant,
            {
              sessionIdleMs: (said.sessionIdleDays ?? sessionIdleDays) * dayMs,
              receiptAgeMs: (said.receiptDays ?? receiptDays) * dayMs,
            },
          ] as const,
        ]
      : [],
  )
  return {
    sessionIdleMs: sessionIdleDays * dayMs,
    receiptAgeMs: receiptDays * dayMs,
    maxReceipts,
    artifactAgesMs: { evidence: evidenceDays * dayMs, manifest: manifestDays * dayMs, raw: rawDays * dayMs },
    ...(auditDays !== undefined && { auditAgeMs: auditDays * dayMs }),
    ...(own.length > 0 && { tenants: Object.fromEntries(own) }),
  }
}

/** Saves what was learnt and removes what has outlived its keep, now and then; the returned function saves a last time. */
export function housekeeping(parts: GatewayParts): () => Promise<void> {
  const { store, calibration, config, clock, logger, jobs } = parts
  const retention = retentionOf(config)
  const failed = (): void => logger.warn('housekeeping-failed')
  const often = { name: 'all', delayMs: everyMs, everyMs, failed }
  jobs.add({ ...often, kind: saving, run: () => calibration.save() })
  jobs.add({
    ...often,
    kind: pruning,
    async run() {
      const nowMs = clock()
      const byAge = await store.prune(nowMs, { ...retention, maxReceipts: Number.MAX_SAFE_INTEGER })
      const byNumber = await store.prune(nowMs, retention)
      const pruned = addedPruned(byAge, byNumber)
      if (Object.keys(pruned).length > 0) logger.info('pruned', { sessions: 0, receipts: 0, ...pruned })
      const { receipts: over = 0 } = byNumber
      // Somebody who reads `receiptDays` does not expect younger receipts to be gone.
      if (over > 0) logger.warn('receipts-over-most', { receipts: over, maxReceipts: retention.maxReceipts })
    },
  })
  jobs.add({
    ...often,
    kind: sweeping,
    delayMs: sweepMs,
    everyMs: sweepMs,
    async run() {
      const blobs = await sweepArtifacts(parts)
      if (blobs > 0) logger.info('swept', { blobs })
    },
  })
  return () => calibration.save().catch(failed)
}
