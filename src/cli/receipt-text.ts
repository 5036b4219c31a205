import { PrehendError, hasPack, shownManifest } from '../core/index.ts'
import type { CompileInput, ManifestDecision, PackEntry } from '../core/index.ts'
import { compileAgain, originalsOf } from '../sessions/index.ts'
import type { CompileAgain } from '../sessions/index.ts'
import type { Receipt } from '../stores/index.ts'

/** An item as a request showed it. */
export interface SentItem extends PackEntry {
  /** Whether the decisions of the receipt came out the same when it was compiled again. */
  readonly same: boolean
}

/** The text that was sent of one item, by its id or by how the id begins; the receipt must hold its input. */
export function sentItem(receipt: Receipt, id: string, again: CompileAgain = compileAgain): SentItem {
  const input = inputOf(receipt)
  const { itemId, section, rung, reason, tokens } = decisionOf(receipt, id)
  if (!hasPack(receipt.manifest)) {
    const text = input.items.find((item) => item.id === itemId)?.text ?? ''
    return { itemId, section, rung, text, tokens, same: true }
  }
  const { pack } = again(input, receipt.manifest)
  const entry = pack?.entries.find((one) => one.itemId === itemId)
  if (entry === undefined || rung === 'omitted') {
    throw notFound(
      `text of ${itemId} in this request: it was left out (${reason})`,
      'See prehend packs for the reasons',
    )
  }
  return { ...entry, same: pack?.hash === receipt.manifest.packHash }
}

function decisionOf({ manifest }: Receipt, id: string): ManifestDecision {
  const { decisions } = shownManifest(manifest)
  const exact = decisions.find(({ itemId }) => itemId === id)
  const [first, ...others] = decisions.filter(({ itemId }) => itemId.startsWith(id))
  if (exact !== undefined) return exact
  if (first === undefined) throw notFound(`item ${id} in this request`, 'prehend packs PACK --json has them all')
  if (others.length === 0) return first
  throw notFound(
    `single item that begins with ${id}; there are ${others.length + 1}`,
    `Say more, such as ${first.itemId}`,
  )
}

/** What a handle stands for that this request showed. */
export function heldBy(receipt: Receipt, handle: string): { readonly itemId: string; readonly text: string } {
  const { items } = inputOf(receipt)
  const shown = receipt.manifest.decisions.filter((decision) => decision.handle === handle)
  const summaries = receipt.manifest.summaries?.filter(
    ({ handle: own, media = [] }) => own === handle || media.some((one) => one.handle === handle),
  )
  const originals = originalsOf(items, { decisions: shown, ...(summaries && { summaries }) })
  const original = originals.find((one) => one.handle === handle)
  const inSummary = summaries?.flatMap(({ media = [] }) => media).find((one) => one.handle === handle)
  const decision = shown[0] ?? inSummary
  if (original === undefined || decision === undefined) {
    throw notFound(`handle ${handle} in this request`, 'Copy it as it stands in the request or in the receipt')
  }
  return { itemId: decision.itemId, text: original.text }
}

export function inputOf({ input }: Receipt): CompileInput {
  if (input !== undefined) return input
  throw notFound(
    'input in this receipt, so that no text can be shown',
    'Let the gateway record content (--record content)',
  )
}

function notFound(what: string, remedy: string): PrehendError<'not-found'> {
  return new PrehendError('not-found', `There is no ${what}. ${remedy}.`, { what, remedy })
}
