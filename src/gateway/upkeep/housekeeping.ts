import type { Retention } from '../../stores/index.ts'
import type { GatewayConfig } from '../config.ts'
import type { GatewayParts } from '../parts.ts'

const everyMs = 60_000
const dayMs = 86_400_000

/** How long what is stored is kept, by the words of a configuration. */
function retentionOf({ retention, tenants }: GatewayConfig): Retention {
  const { sessionIdleDays, receiptDays, maxReceipts } = retention
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
    ...(own.length > 0 && { tenants: Object.fromEntries(own) }),
  }
}

/** Saves what was learnt and removes what has outlived its keep, now and then; the returned function stops it. */
export function housekeeping({ store, calibration, config, clock, logger }: GatewayParts): () => Promise<void> {
  const retention = retentionOf(config)

  const once = async (): Promise<void> => {
    try {
      await calibration.save()
      const { sessions, receipts } = await store.prune(clock(), retention)
      if (sessions + receipts > 0) logger.info('pruned', { sessions, receipts })
    } catch {
      logger.warn('housekeeping-failed')
    }
  }

  const timer = setInterval(() => void once(), everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await calibration.save().catch(() => logger.warn('housekeeping-failed'))
  }
}
