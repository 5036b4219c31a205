import { hasPack, shownManifest } from '../core/index.ts'
import type { CompileInput, Manifest } from '../core/index.ts'
import { findQuote, lineageOf } from '../inspect/packs/index.ts'
import type {
  ItemLineage,
  ItemOrigin,
  PackLineage,
  QuotePlace,
  QuoteSearch,
  SectionLineage,
} from '../inspect/packs/index.ts'
import { compileAgain } from '../sessions/index.ts'
import type { CompileAgain } from '../sessions/index.ts'
import type { Receipt } from '../stores/index.ts'
import { percent } from '../inspect/index.ts'
import { inputOf } from './receipt-text.ts'
import { textTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'

/** Tokens by section and item with where each is from; of a receipt without content, as far as it says. */
export function receiptLineage({ manifest, input, origins = [] }: Receipt): PackLineage {
  const traced = lineageOf({ manifest: shownManifest(manifest) }, input?.items)
  if (input !== undefined) return traced
  const known = new Map(origins.map(({ itemId, ...origin }) => [itemId, origin]))
  const told = (item: ItemLineage): ItemLineage => ({ ...item, origin: known.get(item.itemId) ?? {} })
  return { ...traced, sections: traced.sections.map((section) => ({ ...section, items: section.items.map(told) })) }
}

/** Items of a section that are listed. */
const listed = 8
const barWidth = 40

export function lineageReport({ packTokens, frameTokens, sections }: PackLineage, columns?: number): string {
  const bars = sections.map((section) => [
    section.section,
    String(section.tokens),
    percent(section.share),
    '#'.repeat(Math.round(section.share * barWidth)),
  ])
  const frame = ['(frame)', String(frameTokens), percent(packTokens > 0 ? frameTokens / packTokens : 0), '']
  const head = ['section', 'tokens', 'share', '']
  return `${[textTable(head, [...bars, frame], ['']), ...sections.map((one) => sectionText(one, columns))].join('\n\n')}\n`
}

function sectionText({ section, items }: SectionLineage, columns?: number): string {
  const lines = items.slice(0, listed).map(({ itemId, rung, tokens, originalTokens, origin }) => {
    const size = tokens === originalTokens ? String(tokens) : `${tokens} of ${originalTokens}`
    return hanging(`  ${size} tokens, ${rung}: ${itemId}, from ${originText(origin, itemId)}`, columns)
  })
  const more = items.length > listed ? [`  … and ${items.length - listed} more; --json has them all`] : []
  return [section, ...lines, ...more].join('\n')
}

/** A source that a codec has made of the item's own name tells nothing. */
function originText(origin: ItemOrigin, itemId: string): string {
  const { message, turn, tool, asked, role, uri, sourceId, title, retrievedAt, query } = origin
  const source = uri ?? (sourceId?.endsWith(`:${itemId}`) === true ? undefined : sourceId)
  const parts = [
    message === undefined ? undefined : `message ${message}, turn ${turn ?? 0}`,
    tool === undefined ? role : `${tool}${asked === undefined ? '' : ` ${asked}`}`,
    title,
    source,
    retrievedAt,
    query === undefined ? undefined : `found by ${query}`,
  ]
  return parts.filter((part) => part !== undefined).join(', ') || 'not recorded'
}

/** The items that say a text, in what a receipt has recorded. */
export function quoteIn(receipt: Receipt, quote: string, again: CompileAgain = compileAgain): readonly QuotePlace[] {
  const { manifest } = receipt
  const input = inputOf(receipt)
  if (!hasPack(manifest)) return findQuote({ quote, ...sentUnchanged(input, manifest) })
  const { pack } = again(input, manifest)
  return findQuote({ quote, items: input.items, manifest, pack: pack?.hash === manifest.packHash ? pack : undefined })
}

/** Without a pack, the client's own items are what there is to show. */
function sentUnchanged({ items }: CompileInput, manifest: Manifest): Omit<QuoteSearch, 'quote'> {
  const shown = shownManifest(manifest)
  const texts = new Map(items.map(({ id, text }) => [id, text]))
  const entries = shown.decisions.map(({ itemId, section, rung, tokens }) => {
    return { itemId, section, rung, tokens, text: texts.get(itemId) ?? '' }
  })
  return { items, manifest: shown, pack: { entries } }
}

export function quoteReport(places: readonly QuotePlace[], requestId: string, columns?: number): string {
  if (places.length === 0) return `${hanging(`Nothing in ${requestId} says that, shown or left out.`, columns)}\n`
  const lines = places.map(({ itemId, firstLine, lastLine, isShown, handle, origin }) => {
    const where = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine}-${lastLine}`
    const back = handle === undefined ? 'not shown' : `not shown: prehend packs ${requestId} --handle ${handle}`
    return [`${itemId}, ${where}, ${isShown ? 'shown' : back}`, `  from ${originText(origin, itemId)}`]
  })
  return `${lines
    .flat()
    .map((line) => hanging(line, columns))
    .join('\n')}\n`
}
