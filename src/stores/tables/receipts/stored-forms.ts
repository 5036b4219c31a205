import type { CompileInput, Item, Manifest } from '../../../core/index.ts'
import type { Ranges } from '../../kernel/table.ts'
import type { StoredLedger } from '../ledger-rows.ts'
import type { RecordedRequest } from './receipt.ts'

/** What stands in the columns: lists as ranges, long texts and policies by their hashes. */
type Stored<Value, List extends keyof Value> = Omit<Value, List> & { readonly [Key in List]: Ranges }

export type StoredManifest = Stored<Manifest, 'decisions' | 'sections'>
export type StoredRequest = Stored<RecordedRequest, 'body' | 'overlay'>
export type StoredPiece = { readonly text: string } | { readonly textHash: string }
export type StoredItem = Omit<Item, 'text'> & StoredPiece

export interface StoredInput extends Omit<CompileInput, 'items' | 'ledger' | 'policy'> {
  readonly items: Ranges
  readonly policy: string
  readonly ledger?: StoredLedger
}
