import type { CompileInput, Item, Manifest, ManifestDecision, ManifestSection } from '../../../core/index.ts'
import type { FragmentRows, Ranges, TextRows } from '../../kernel/table.ts'
import { restoredLedger, restoredOverlay } from '../ledger-rows.ts'
import { listKinds } from '../list-kinds.ts'
import type { PolicyRows } from './policy-rows.ts'
import type { RecordedRequest } from './receipt.ts'
import type { StoredInput, StoredItem, StoredManifest, StoredPiece, StoredRequest } from './stored-forms.ts'

/** What reading the rows of one session needs. */
export interface SessionRows {
  readonly sessionId: number
  readonly fragments: FragmentRows
  readonly texts: Pick<TextRows, 'get'>
  readonly policies: Pick<PolicyRows, 'get'>
}

export function readManifest(rows: SessionRows, text: string): Manifest {
  const stored = JSON.parse(text) as StoredManifest
  return {
    ...stored,
    decisions: readList<ManifestDecision>(rows, listKinds.decision, stored.decisions),
    sections: readList<ManifestSection>(rows, listKinds.section, stored.sections),
  }
}

export function readInput(rows: SessionRows, text: string): CompileInput {
  const { items, policy, ledger, ...rest } = JSON.parse(text) as StoredInput
  return {
    ...rest,
    items: readList<StoredItem>(rows, listKinds.item, items).map((item) => restoreItem(rows, item)),
    policy: rows.policies.get(policy),
    ...(ledger && { ledger: restoredLedger(rows.fragments, rows.sessionId, ledger) }),
  }
}

export function readRequest(rows: SessionRows, text: string): RecordedRequest {
  const stored = JSON.parse(text) as StoredRequest
  const pieces = readList<StoredPiece>(rows, listKinds.body, stored.body)
  return {
    ...stored,
    body: pieces.map((piece) => ('text' in piece ? piece.text : rows.texts.get(piece.textHash))).join(''),
    overlay: restoredOverlay(rows.fragments, rows.sessionId, stored.overlay),
  }
}

function restoreItem({ texts }: SessionRows, stored: StoredItem): Item {
  if (!('textHash' in stored)) return stored
  const { textHash, ...item } = stored
  return { ...item, text: texts.get(textHash) }
}

function readList<Value>(rows: SessionRows, kind: number, ranges: Ranges): Value[] {
  return rows.fragments.read<Value>(rows.sessionId, kind, ranges)
}
