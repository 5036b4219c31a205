import type { Item, LadderMaker, Rendition } from '../core/index.ts'
import { contentKind } from './content-kind.ts'
import { withoutData } from './cut-data.ts'
import { withDenials } from './denying-lines.ts'
import { fullRendition } from './full.ts'
import type { LadderOptions } from './ladder-options.ts'
import { freshWorth, kindWorth, withKindWorth } from './kind-worth.ts'
import { losslessDrafts } from './lossless-drafts.ts'
import { mayHaveForms } from './lossless-forms.ts'
import { lineImportance, withFailures } from './line-importance.ts'
import { pointer } from './marker.ts'
import { oneLine, statusOf } from './one-line.ts'
import { outlinedResult, wantsOutline } from './outline.ts'
import type { Draft } from './renditions.ts'
import { measured } from './renditions.ts'
import { readClosely } from './read-closely.ts'
import { repeatsDrafts } from './repeats.ts'
import { tableDrafts } from './table-drafts.ts'
import { trimmedDrafts, trimShares } from './trimmed-drafts.ts'
import { withoutUsualEnds } from './usual-ends.ts'
import { isThinned, named, thinnedResult } from './worth-by-names.ts'

/** Smaller results are not worth a marker. */
const minTrimTokens = 96
const minLineTokens = 24

/** How a tool result may be shown: full, without what carries nothing, trimmed, as one line, as a pointer. */
export const toolResultLadder: LadderMaker = (item, context: LadderOptions) => {
  const full = fullRendition(item, context)
  if (context.conversation !== undefined) return measured(full, inConversation(item, full, context), context)
  if (full.tokens < minLineTokens) return [full]
  const kind = contentKind(item.text, item.toolName)
  const read = readClosely(item.text, kind)
  const { text, failure } = (context.focus && read.about?.(context.focus)) ?? read
  const report = failure()
  const line = oneLine({ item: named(item, kind), context, lines: text.lines, report, originalTokens: full.tokens })
  const drafts: Draft[] = [...losslessDrafts(item.text, kind, context)]
  if (full.tokens >= minTrimTokens && kind !== 'blob') {
    const score = context.lineValue ?? lineImportance
    const rated = withKindWorth(score(text.lines, kind, context), freshWorth(kindWorth(text.lines, kind)))
    const values = withDenials(withFailures(rated, text.lines, report), text.lines, kind)
    const shares = trimShares
    const table = tableDrafts({ text: item.text, kind, values, tokens: full.tokens, shares, context })
    const trimmed = table ?? trimmedDrafts({ text, values, tokens: full.tokens, context })
    drafts.push(...trimmed.filter((draft) => draft.text.length > line.length * 1.5))
  }
  const status = statusOf(item, report, context)
  const { handle } = context
  drafts.push({ rung: 'line', text: line, fidelity: status === 'ok' ? 0.05 : 0.1, handle })
  drafts.push({ rung: 'pointer', text: pointer(handle, status), fidelity: 0.01, handle })
  return measured(full, drafts, context)
}

/**
 * Of a result whose bytes a provider keeps: in a form that says the same in less, without what the context shows already, or
 * shorter by the worth of its names. What may be quoted byte for byte stays as it came.
 */
function inConversation(item: Item, full: Rendition, context: LadderOptions): readonly Draft[] {
  if (wantsOutline(context)) return outlinedResult(item, full, context)
  if (isThinned(context)) return thinnedResult(item, full, context)
  const whole = [...repeatsDrafts(item, context), ...arrivingForms(item, full, context)]
  const dearestFirst =
    whole.length < 2 ? whole : whole.toSorted((a, b) => context.count(b.text) - context.count(a.text))
  const bared = withoutUsualEnds(dearestFirst.at(-1) ?? full, context)
  const lossless = bared === undefined ? dearestFirst : [...dearestFirst, bared]
  return context.conversation?.mayCutData === true
    ? [...lossless, ...cutDrafts(lossless.at(-1) ?? full, context)]
    : lossless
}

/** The same without data that nobody can read. */
function cutDrafts(shown: Draft, { handle }: LadderOptions): readonly Draft[] {
  const text = withoutData(shown.text, handle)
  return text === shown.text ? [] : [{ ...shown, rung: 'trimmed', text, fidelity: cutFidelity, handle }]
}

const cutFidelity = 0.99

/** The form in which a result comes in, where that is another than its own and pays. */
function arrivingForms(item: Item, full: Rendition, context: LadderOptions): readonly Draft[] {
  const { shownLines, exact } = context.conversation ?? {}
  if (shownLines === undefined || exact === true || full.tokens < minLineTokens || !mayHaveForms(item.text)) return []
  const forms = losslessDrafts(item.text, contentKind(item.text, item.toolName), context)
  return forms.filter((form) => saves(form, full, context))
}

/** What another form must save of a result that comes in for the reader to meet it in that form. */
const leastSaving = 0.1

function saves({ text }: Draft, full: Rendition, { count }: LadderOptions): boolean {
  return count(text) <= full.tokens * (1 - leastSaving)
}
