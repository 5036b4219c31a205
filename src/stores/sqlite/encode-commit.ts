import type { CompileInput, Item, Ledger, Manifest, OverlayPart, Policy, TextSource } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import { isResultOnly, listed } from '../store.ts'
import type { Commit, Original, RequestToRecord } from '../store.ts'
import type { CommitRows, OriginalRow, PolicyRow, ReceiptRow, SessionChange } from './commit-rows.ts'
import { changeBody } from './known-body.ts'
import { changeList, emptyList, fragmentKinds } from './known-lists.ts'
import type { Change, Fragment, FragmentKind, Ranges, Written } from './known-lists.ts'
import type { KnownSession } from './known-sessions.ts'
import type { StoredInput, StoredLedger, StoredManifest, StoredRequest } from './stored-forms.ts'

export interface EncodedCommit {
  readonly rows: CommitRows
  /** What is known of the session once it is written, beside its row. */
  readonly known: Omit<KnownSession, 'base'>
}

/** Shorter texts stay where they are. */
const inlineChars = 512

/** Writes a commit out, against what is known of its session. */
export function encodeCommit(commit: Commit, known: KnownSession): EncodedCommit {
  const { scope, nowMs, expectVersion, result, tally, tenantAccount } = commit
  const lists = openLists(known)
  const rows: CommitRows = {
    scope,
    nowMs,
    ...(expectVersion !== undefined && { expectVersion }),
    ...(result && { result: { requestId: result.requestId, json: JSON.stringify(result.result) } }),
    ...(tally && { tally }),
    ...(tenantAccount && { tenantAccount }),
    ...(!isResultOnly(commit) && { session: sessionChange(commit, known, lists) }),
  }
  return { rows, known: lists.known() }
}

/** The lists of a session while a commit is written out. */
interface Lists {
  readonly fragments: Fragment[]
  change<Value extends object>(
    kind: Exclude<FragmentKind, typeof fragmentKinds.body>,
    values: readonly Value[],
    write?: (value: Value) => Written,
  ): Ranges
  changeBody(body: TextSource): Ranges
  known(): EncodedCommit['known']
}

function openLists(before: KnownSession): Lists {
  const lists = [...before.lists]
  let { body } = before
  const fragments: Fragment[] = []
  const noted = ({ fragment, ranges }: Change<unknown>): Ranges => {
    if (fragment) fragments.push(fragment)
    return ranges
  }
  return {
    fragments,
    change(kind, values, write = asJson) {
      const change = changeList(kind, lists[kind] ?? emptyList, values, write)
      lists[kind] = change.known
      return noted(change)
    },
    changeBody(text) {
      const change = changeBody(body, text, writtenPiece)
      body = change.known
      return noted(change)
    },
    known: () => ({ lists, body }),
  }
}

function sessionChange(commit: Commit, { base }: KnownSession, lists: Lists): SessionChange {
  const { ledger, offeredTools, overlay, originals = [], receipt } = commit
  // The receipt holds the ledger that went in, so it is written before the one that came out.
  const policy = receipt?.input && policyRow(receipt.input.policy)
  return {
    ...(base && { base }),
    ...(offeredTools && { offeredTools: JSON.stringify(offeredTools) }),
    ...(policy && { policy }),
    ...(receipt && { receipt: receiptRow(lists, receipt) }),
    ...(ledger !== undefined && { ledger: ledger && JSON.stringify(storedLedger(lists, ledger)) }),
    ...(overlay && { overlay: JSON.stringify(lists.change(fragmentKinds.overlay, overlay)) }),
    originals: originals.map(originalRow),
    fragments: lists.fragments,
  }
}

function originalRow({ handle, text, ...about }: Original): OriginalRow {
  return { handle, text, about: JSON.stringify(about) }
}

function receiptRow(lists: Lists, receipt: NonNullable<Commit['receipt']>): ReceiptRow {
  const { manifest, input, request, result: _result, requestId, packId, ...head } = receipt
  return {
    requestId,
    packId,
    head: JSON.stringify({ ...head, ...listed(manifest) }),
    ...(head.model !== undefined && { model: head.model }),
    policy: manifest.policyId,
    manifest: storedManifest(lists, manifest),
    ...(input && { input: storedInput(lists, input) }),
    ...(request && { request: storedRequest(lists, request) }),
  }
}

function storedManifest(lists: Lists, manifest: Manifest): string {
  const decisions = lists.change(fragmentKinds.decision, manifest.decisions)
  const sections = lists.change(fragmentKinds.section, manifest.sections)
  return JSON.stringify({ ...manifest, decisions, sections } satisfies StoredManifest)
}

function storedInput(lists: Lists, { ledger, items, policy, ...rest }: CompileInput): string {
  const stored: StoredInput = {
    ...rest,
    items: lists.change(fragmentKinds.item, items, writtenItem),
    policy: policyRow(policy).key,
    ...(ledger && { ledger: storedLedger(lists, ledger) }),
  }
  return JSON.stringify(stored)
}

function storedLedger(lists: Lists, ledger: Ledger): StoredLedger {
  return ledger.layout === 'payload'
    ? ledger
    : { ...ledger, entries: lists.change(fragmentKinds.entry, ledger.entries) }
}

function storedRequest(lists: Lists, request: RequestToRecord): string {
  const body = lists.changeBody(request.body)
  const overlay = lists.change<OverlayPart>(fragmentKinds.overlay, request.overlay)
  return JSON.stringify({ ...request, body, overlay } satisfies StoredRequest)
}

function writtenItem(item: Item): Written {
  if (item.text.length <= inlineChars) return asJson(item)
  const { text, ...others } = item
  return { json: JSON.stringify(others), text }
}

function writtenPiece(text: string): Written {
  return text.length <= inlineChars ? asJson({ text }) : { json: '{}', text }
}

function asJson(value: unknown): Written {
  return { json: JSON.stringify(value) }
}

/** There are few policies, and they never change. */
const policyRows = new WeakMap<Policy, PolicyRow>()

function policyRow(policy: Policy): PolicyRow {
  const known = policyRows.get(policy)
  if (known) return known
  const json = JSON.stringify(policy)
  const row = { key: sha256(json, 'base64url'), json }
  policyRows.set(policy, row)
  return row
}
