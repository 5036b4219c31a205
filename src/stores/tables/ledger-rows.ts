import type { ConversationLedger, Ledger, LedgerEntry, OverlayPart, PayloadLedger } from '../../core/index.ts'
import type { FragmentRows, Lists, Ranges, WantedList } from '../kernel/table.ts'
import { listKinds } from './list-kinds.ts'

/** A ledger as it stands in a row: its entries as ranges. */
export type StoredLedger = (Omit<ConversationLedger, 'entries'> & { readonly entries: Ranges }) | PayloadLedger

export function storedLedger(lists: Lists, ledger: Ledger): StoredLedger {
  return ledger.layout === 'payload' ? ledger : { ...ledger, entries: lists.change(listKinds.entry, ledger.entries) }
}

/** The lists that a ledger refers to. */
export function wantedOfLedger(stored: StoredLedger): readonly WantedList[] {
  return stored.layout === 'payload' ? [] : [[listKinds.entry, stored.entries]]
}

export function restoredLedger(fragments: FragmentRows, sessionId: number, stored: StoredLedger): Ledger {
  if (stored.layout === 'payload') return stored
  return { ...stored, entries: fragments.read<LedgerEntry>(sessionId, listKinds.entry, stored.entries) }
}

export function restoredOverlay(fragments: FragmentRows, sessionId: number, ranges: Ranges): OverlayPart[] {
  return fragments.read<OverlayPart>(sessionId, listKinds.overlay, ranges)
}
