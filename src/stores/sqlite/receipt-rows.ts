import type {
  CompileInput,
  Item,
  Ledger,
  LedgerEntry,
  Manifest,
  ManifestDecision,
  ManifestSection,
  OverlayPart,
} from '../../core/index.ts'
import type { CostTable } from './cost-rows.ts'
import type { FragmentTable } from './fragments.ts'
import { fragmentKinds } from './known-lists.ts'
import type { FragmentKind, Ranges } from './known-lists.ts'
import type { TenantAccountTable } from './tenant-account-rows.ts'
import type { RollupTable } from './rollup-rows.ts'
import type { RecordedRequest } from '../store.ts'
import type { PolicyTable } from './policy-table.ts'
import type {
  StoredInput,
  StoredItem,
  StoredLedger,
  StoredManifest,
  StoredPiece,
  StoredRequest,
} from './stored-forms.ts'
import type { TextTable } from './texts.ts'

/** What reading the rows of one session needs. */
export interface SessionRows extends SqliteTables {
  readonly sessionId: number
}

/** What every row of a session is made of. */
export interface SqliteTables {
  readonly fragments: FragmentTable
  readonly texts: TextTable
  readonly policies: PolicyTable
  readonly costs: CostTable
  readonly rollups: RollupTable
  readonly accounts: TenantAccountTable
}

export function readLedger(rows: SessionRows, text: string): Ledger {
  return restoreLedger(rows, JSON.parse(text) as StoredLedger)
}

export function readOverlay(rows: SessionRows, text: string): OverlayPart[] {
  return readList<OverlayPart>(rows, fragmentKinds.overlay, JSON.parse(text) as Ranges)
}

export function readManifest(rows: SessionRows, text: string): Manifest {
  const stored = JSON.parse(text) as StoredManifest
  return {
    ...stored,
    decisions: readList<ManifestDecision>(rows, fragmentKinds.decision, stored.decisions),
    sections: readList<ManifestSection>(rows, fragmentKinds.section, stored.sections),
  }
}

export function readInput(rows: SessionRows, text: string): CompileInput {
  const { items, policy, ledger, ...rest } = JSON.parse(text) as StoredInput
  return {
    ...rest,
    items: readList<StoredItem>(rows, fragmentKinds.item, items).map((item) => restoreItem(rows, item)),
    policy: rows.policies.get(policy),
    ...(ledger && { ledger: restoreLedger(rows, ledger) }),
  }
}

export function readRequest(rows: SessionRows, text: string): RecordedRequest {
  const stored = JSON.parse(text) as StoredRequest
  const pieces = readList<StoredPiece>(rows, fragmentKinds.body, stored.body)
  return {
    ...stored,
    body: pieces.map((piece) => ('text' in piece ? piece.text : rows.texts.get(piece.textHash))).join(''),
    overlay: readList<OverlayPart>(rows, fragmentKinds.overlay, stored.overlay),
  }
}

function restoreLedger(rows: SessionRows, stored: StoredLedger): Ledger {
  if (stored.layout === 'payload') return stored
  return { ...stored, entries: readList<LedgerEntry>(rows, fragmentKinds.entry, stored.entries) }
}

function restoreItem({ texts }: SessionRows, stored: StoredItem): Item {
  if (!('textHash' in stored)) return stored
  const { textHash, ...item } = stored
  return { ...item, text: texts.get(textHash) }
}

function readList<Value>(rows: SessionRows, kind: FragmentKind, ranges: Ranges): Value[] {
  return rows.fragments.read<Value>(rows.sessionId, kind, ranges)
}
