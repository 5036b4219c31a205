import type { CompileInput, Item, Manifest, OverlayPart, Policy } from '../../../core/index.ts'
import { perObject } from '../../../core/index.ts'
import { sha256 } from '../../../host/index.ts'
import { inlineChars } from '../../kernel/table.ts'
import type { Lists, Row, Written } from '../../kernel/table.ts'
import { storedLedger } from '../ledger-rows.ts'
import { listKinds } from '../list-kinds.ts'
import { listed } from './receipt.ts'
import type { ReceiptToRecord, RequestToRecord } from './receipt.ts'
import type { StoredInput, StoredManifest, StoredRequest } from './stored-forms.ts'

/** A receipt as a row; `sqliteReceipts` reads its cells in this order. */
export function storedReceipt(receipt: ReceiptToRecord, lists: Lists): Row {
  const { manifest, input, request, result: _result, requestId, packId, ...head } = receipt
  const policy = input && policyRow(input.policy)
  return [
    requestId,
    packId,
    JSON.stringify({ ...head, ...listed(manifest) }),
    head.model,
    manifest.policyId,
    storedManifest(lists, manifest),
    input && storedInput(lists, input),
    request && storedRequest(lists, request),
    policy?.key,
    policy?.json,
  ]
}

function storedManifest(lists: Lists, manifest: Manifest): string {
  const decisions = lists.change(listKinds.decision, manifest.decisions)
  const sections = lists.change(listKinds.section, manifest.sections)
  return JSON.stringify({ ...manifest, decisions, sections } satisfies StoredManifest)
}

function storedInput(lists: Lists, { ledger, items, policy, ...rest }: CompileInput): string {
  const stored: StoredInput = {
    ...rest,
    items: lists.change(listKinds.item, items, writtenItem),
    policy: policyRow(policy).key,
    ...(ledger && { ledger: storedLedger(lists, ledger) }),
  }
  return JSON.stringify(stored)
}

function storedRequest(lists: Lists, request: RequestToRecord): string {
  const body = lists.changeBody(request.body)
  const overlay = lists.change<OverlayPart>(listKinds.overlay, request.overlay)
  return JSON.stringify({ ...request, body, overlay } satisfies StoredRequest)
}

function writtenItem(item: Item): Written {
  if (item.text.length <= inlineChars) return { json: JSON.stringify(item) }
  const { text, ...others } = item
  return { json: JSON.stringify(others), text }
}

interface PolicyRow {
  readonly key: string
  readonly json: string
}

/** There are few policies, and they never change. */
const policyRow = perObject((policy: Policy): PolicyRow => {
  const json = JSON.stringify(policy)
  return { key: sha256(json, 'base64url'), json }
})
