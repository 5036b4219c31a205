import type { GatewayParts } from '../../parts.ts'
import { cachedContents } from './contributions.ts'
import type { KeptSessions } from './visit.ts'

/**
 * Has the provider keep nothing any more that this thread has had it keep, since every hour of that is paid for. Nobody else uses it:
 * names stand in the memory of the thread that has made what they name. What cannot be removed expires.
 */
export async function removeAll(parts: GatewayParts, sessions: KeptSessions, signal: AbortSignal): Promise<void> {
  const nowMs = parts.clock()
  const contents = [...sessions.values()].flatMap(({ content }) =>
    content !== undefined && content.paidMs > nowMs ? [content] : [],
  )
  sessions.clear()
  if (contents.length === 0) return
  const gone = await Promise.all(contents.map(async ({ remove }) => remove(signal).catch(() => false)))
  const removed = gone.filter(Boolean).length
  if (removed > 0) {
    parts.metrics.layers.count(cachedContents, { event: 'removed' }, removed)
    parts.logger.info('cached-contents-removed', { contents: removed })
  }
  for (const [index, { name, paidMs }] of contents.entries())
    if (gone[index] !== true)
      parts.logger.warn('cached-content-left', { name, expires: new Date(paidMs).toISOString() })
}
