import type { CompactionConfig, HandoffAdvice, Item, Ledger, Manifest } from '../../core/index.ts'
import { isAboveTrigger, isProviderCompaction } from '../../core/index.ts'

/** How often a conversation was compacted. */
export interface Compactions {
  /** In place, by us. */
  readonly own: number
  /** By its provider, as far as its blocks stand in the conversation. */
  readonly provider: number
}

export function compactionsOf(ledger: Ledger | undefined, items: readonly Item[]): Compactions {
  const own = ledger?.layout === 'messages' ? (ledger.compacted?.count ?? 0) : 0
  return { own, provider: items.filter(isProviderCompaction).length }
}

/** Each compaction loses something of what the one before has kept: from so many on a new session does better. */
const mostCompactions = 2

/** Whether the session should be handed over to a new one, and why. */
export function handoffAdvice(
  { own, provider }: Compactions,
  { strategy, trigger }: CompactionConfig,
  manifest: Pick<Manifest, 'packTokens' | 'overheadTokens' | 'windowTokens' | 'reserveTokens'>,
): HandoffAdvice | undefined {
  const compactions = own + provider
  if (compactions >= mostCompactions) return { type: 'session:handoff-advised', cause: 'compactions', compactions }
  if (strategy !== 'handoff' || trigger === undefined || trigger.type === 'manual') return undefined
  const promptTokens = manifest.packTokens + manifest.overheadTokens
  const size = { promptTokens, roomTokens: manifest.windowTokens - manifest.reserveTokens }
  return isAboveTrigger(trigger, size)
    ? { type: 'session:handoff-advised', cause: trigger.type, compactions }
    : undefined
}
