import type {
  CompileInput,
  Item,
  ConversationLedger,
  Ledger,
  PayloadLedger,
  LedgerEntry,
  Manifest,
  ManifestDecision,
  ManifestSection,
  OverlayPart,
} from '../../core/index.ts'
import { fragmentKinds } from './fragments.ts'
import type { FragmentKind, FragmentTable, KnownLists, Ranges } from './fragments.ts'
import type { RecordedRequest } from '../store.ts'
import { bodyPieces } from './body-pieces.ts'
import type { PolicyTable } from './policy-table.ts'
import type { TextTable } from './texts.ts'

/** What reading and writing rows of one session needs. */
export interface SessionRows {
  readonly sessionId: number
  readonly fragments: FragmentTable
  readonly texts: TextTable
  readonly policies: PolicyTable
}

export interface KnownRows extends SessionRows {
  readonly known: KnownLists
}

/** Shorter texts stay where they are. */
const inlineChars = 512

type Stored<Value, List extends keyof Value> = Omit<Value, List> & { readonly [Key in List]: Ranges }
type StoredLedger = Stored<ConversationLedger, 'entries'> | PayloadLedger
type StoredManifest = Stored<Manifest, 'decisions' | 'sections'>
interface StoredInput extends Omit<CompileInput, 'items' | 'ledger' | 'policy'> {
  readonly items: Ranges
  readonly policy: string
  readonly ledger?: StoredLedger
}
interface StoredRequest extends Omit<RecordedRequest, 'body' | 'overlay'> {
  readonly body: Ranges
  readonly overlay: Ranges
}
type StoredPiece = { readonly text: string } | { readonly textHash: string }
type StoredItem = Omit<Item, 'text'> & ({ readonly text: string } | { readonly textHash: string })

export function writeLedger(rows: KnownRows, ledger: Ledger): string {
  return JSON.stringify(storeLedger(rows, ledger))
}

export function readLedger(rows: SessionRows, text: string): Ledger {
  return restoreLedger(rows, JSON.parse(text) as StoredLedger)
}

export function writeOverlay(rows: KnownRows, overlay: readonly OverlayPart[]): string {
  return JSON.stringify(writeJson(rows, fragmentKinds.overlay, overlay))
}

export function readOverlay(rows: SessionRows, text: string): OverlayPart[] {
  return readList<OverlayPart>(rows, fragmentKinds.overlay, JSON.parse(text) as Ranges)
}

export function writeManifest(rows: KnownRows, manifest: Manifest): string {
  const decisions = writeJson(rows, fragmentKinds.decision, manifest.decisions)
  const sections = writeJson(rows, fragmentKinds.section, manifest.sections)
  return JSON.stringify({ ...manifest, decisions, sections } satisfies StoredManifest)
}

export function readManifest(rows: SessionRows, text: string): Manifest {
  const stored = JSON.parse(text) as StoredManifest
  return {
    ...stored,
    decisions: readList<ManifestDecision>(rows, fragmentKinds.decision, stored.decisions),
    sections: readList<ManifestSection>(rows, fragmentKinds.section, stored.sections),
  }
}

export function writeInput(rows: KnownRows, input: CompileInput): string {
  const { ledger, ...rest } = input
  const stored: StoredInput = {
    ...rest,
    items: writeItems(rows, input.items),
    policy: rows.policies.put(input.policy),
    ...(ledger && { ledger: storeLedger(rows, ledger) }),
  }
  return JSON.stringify(stored)
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

export function writeRequest(rows: KnownRows, request: RecordedRequest): string {
  const body = writeBody(rows, request.body)
  const overlay = writeJson(rows, fragmentKinds.overlay, request.overlay)
  return JSON.stringify({ ...request, body, overlay } satisfies StoredRequest)
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

function writeBody({ sessionId, fragments, texts, known }: KnownRows, body: string): Ranges {
  return fragments.write({
    sessionId,
    known,
    kind: fragmentKinds.body,
    values: bodyPieces(body).map((text) => ({ text })),
    isSame: (before, { text }) => 'text' in before && before.text === text,
    encode: ({ text }) => JSON.stringify(isInline(text) ? { text } : { textHash: texts.hash(text) }),
    added: ({ text }) => !isInline(text) && texts.put(sessionId, text),
  })
}

function isInline(text: string): boolean {
  return text.length <= inlineChars
}

function storeLedger(rows: KnownRows, ledger: Ledger): StoredLedger {
  return ledger.layout === 'payload'
    ? ledger
    : { ...ledger, entries: writeJson(rows, fragmentKinds.entry, ledger.entries) }
}

function restoreLedger(rows: SessionRows, stored: StoredLedger): Ledger {
  if (stored.layout === 'payload') return stored
  return { ...stored, entries: readList<LedgerEntry>(rows, fragmentKinds.entry, stored.entries) }
}

function writeItems({ sessionId, fragments, texts, known }: KnownRows, items: readonly Item[]): Ranges {
  return fragments.write({
    sessionId,
    known,
    kind: fragmentKinds.item,
    values: items,
    encode: (item) => (item.text.length > inlineChars ? textApart(item, texts.hash(item.text)) : JSON.stringify(item)),
    added: (item) => item.text.length > inlineChars && texts.put(sessionId, item.text),
  })
}

function textApart({ text: _text, ...item }: Item, textHash: string): string {
  return JSON.stringify({ ...item, textHash } satisfies StoredItem)
}

function restoreItem({ texts }: SessionRows, stored: StoredItem): Item {
  if (!('textHash' in stored)) return stored
  const { textHash, ...item } = stored
  return { ...item, text: texts.get(textHash) }
}

function writeJson(rows: KnownRows, kind: FragmentKind, values: readonly object[]): Ranges {
  const { sessionId, known } = rows
  return rows.fragments.write({ sessionId, known, kind, values, encode: (value) => JSON.stringify(value) })
}

function readList<Value>(rows: SessionRows, kind: FragmentKind, ranges: Ranges): Value[] {
  return rows.fragments.read<Value>(rows.sessionId, kind, ranges)
}
