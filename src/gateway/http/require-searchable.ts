import { refusedFor } from '../../sessions/index.ts'
import type { Exchange } from '../layers/exchange.ts'

/**
 * What nobody can read is not sent under a policy that lets nothing pass unsearched; neither is a request whose thread was ended while it packed. Throws why
 * it cannot be read, where that is the client's to know.
 */
export function requireSearchable({ kind, unread, settings }: Pick<Exchange, 'kind' | 'unread' | 'settings'>): void {
  if (!unread || kind !== 'messages' || settings.mode !== 'on') return
  const refused = refusedFor(settings, unread)
  if (refused) throw unread.code === 'internal' ? refused : unread
}
