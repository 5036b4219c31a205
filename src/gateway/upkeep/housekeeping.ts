import type { GatewayParts } from '../parts.ts'

const everyMs = 60_000
const dayMs = 86_400_000

/** Saves what was learnt and removes what has outlived its keep, now and then; the returned function stops it. */
export function housekeeping({ store, calibration, config, clock, logger }: GatewayParts): () => Promise<void> {
  const { sessionIdleDays, receiptDays, maxReceipts } = config.retention
  const retention = { sessionIdleMs: sessionIdleDays * dayMs, receiptAgeMs: receiptDays * dayMs, maxReceipts }

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
