import type { Item, LadderMaker, Rendition } from '../core/index.ts'
import { cleanText } from './clean-text.ts'
import { encodeColumns } from './column-layout.ts'
import { contentKind } from './content-kind.ts'
import type { ContentKind } from './content-kind.ts'
import { detectFailure } from './failure.ts'
import { fullRendition } from './full.ts'
import { minifyJson } from './json-source.ts'
import type { LadderOptions } from './ladder-options.ts'
import { lineImportance, withFailures } from './line-importance.ts'
import { pointer } from './marker.ts'
import { oneLine, statusOf } from './one-line.ts'
import type { Draft } from './renditions.ts'
import { measured } from './renditions.ts'
import { repeatsDrafts } from './repeats.ts'
import { textLines } from './text-lines.ts'
import { trimmedDrafts } from './trimmed-drafts.ts'
import { isThinned, thinnedResult } from './worth-by-names.ts'

/** Smaller results are not worth a marker. */
const minTrimTokens = 96
const minLineTokens = 24

/** How a tool result may be shown: full, without what carries nothing, trimmed, as one line, as a pointer. */
export const toolResultLadder: LadderMaker = (item, context: LadderOptions) => {
  const full = fullRendition(item, context)
  if (context.conversation !== undefined) return measured(full, inConversation(item, full, context), context)
  if (full.tokens < minLineTokens) return [full]
  const kind = contentKind(item.text, item.toolName)
  const text = textLines(item.text)
  const report = detectFailure(text.lines, kind, item.text)
  const line = oneLine({ item, context, lines: text.lines, report, originalTokens: full.tokens })
  const drafts: Draft[] = [...losslessDrafts(item.text, kind, context)]
  if (full.tokens >= minTrimTokens) {
    const score = context.lineValue ?? lineImportance
    const values = withFailures(score(text.lines, kind, context), text.lines, report)
    const trimmed = trimmedDrafts({ text, values, tokens: full.tokens, context })
    drafts.push(...trimmed.filter((draft) => draft.text.length > line.length * 1.5))
  }
  const status = statusOf(item, report, context)
  const { handle } = context
  drafts.push({ rung: 'line', text: line, fidelity: status === 'ok' ? 0.05 : 0.1, handle })
  drafts.push({ rung: 'pointer', text: pointer(handle, status), fidelity: 0.01, handle })
  return measured(full, drafts, context)
}

/** Of a result whose bytes a provider keeps: without what the context shows already, or shorter by the worth of its names. */
function inConversation(item: Item, full: Rendition, context: LadderOptions): readonly Draft[] {
  return [...repeatsDrafts(item, context), ...(isThinned(context) ? thinnedResult(item, full, context) : [])]
}

/** The cheapest form in which nothing is lost; none where it would save next to nothing. */
function losslessDrafts(text: string, kind: ContentKind, context: LadderOptions): readonly Draft[] {
  const candidates = kind === 'json' ? [minifyJson(text), encodeColumns(text)] : [cleanText(text, kind)]
  const before = context.count(text)
  let least = before - Math.max(4, before * 0.03)
  let best: Draft | undefined
  for (const candidate of candidates) {
    if (candidate === undefined || candidate.length >= text.length) continue
    const tokens = context.count(candidate)
    if (tokens > least) continue
    least = tokens
    best = { rung: 'lossless', text: candidate, fidelity: 1, handle: context.handle }
  }
  return best === undefined ? [] : [best]
}
