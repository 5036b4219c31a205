import type { LadderMaker } from '../core/index.ts'
import type { LadderOptions } from './ladder-options.ts'
import type { Draft } from './renditions.ts'
import { chooseWithin } from './choose-lines.ts'
import { cleanText } from './clean-text.ts'
import { encodeColumns } from './column-layout.ts'
import { contentKind } from './content-kind.ts'
import type { ContentKind } from './content-kind.ts'
import { detectFailure } from './failure.ts'
import type { FailureReport } from './failure.ts'
import { minifyJson } from './json-nodes.ts'
import { lineImportance, withFailures } from './line-importance.ts'
import { foldMarker } from './marker.ts'
import { oneLine, pointer, statusOf } from './one-line.ts'
import { fullRendition } from './full.ts'
import { measured } from './renditions.ts'
import { textLines } from './text-lines.ts'
import type { TextLines } from './text-lines.ts'
import { trimLines } from './trim-lines.ts'

/** Shares of the original that the trimmed rungs aim at, dearest first. */
const trimShares = [0.5, 0.2] as const
/** Smaller results are not worth a marker. */
const minTrimTokens = 96
const minLineTokens = 24

/** How a tool result may be shown: full, without what carries nothing, trimmed, as one line, as a pointer. */
export const toolResultLadder: LadderMaker = (item, context: LadderOptions) => {
  const full = fullRendition(item, context)
  if (full.tokens < minLineTokens) return [full]
  const kind = contentKind(item.text, item.toolName)
  const text = textLines(item.text)
  const report = detectFailure(text.lines, kind)
  const { handle } = context
  const line = oneLine({ item, context, lines: text.lines, report, originalTokens: full.tokens })
  const drafts: Draft[] = [...losslessDrafts(item.text, kind, context)]
  if (full.tokens >= minTrimTokens) {
    const trimmed = trimmedDrafts({ text, kind, report, tokens: full.tokens, context })
    drafts.push(...trimmed.filter((draft) => draft.text.length > line.length * 2))
  }
  const failed = statusOf(item, report) === 'error'
  drafts.push({ rung: 'line', text: line, fidelity: failed ? 0.1 : 0.05, handle })
  drafts.push({ rung: 'pointer', text: pointer(handle, failed), fidelity: 0.01, handle })
  return measured(full, drafts, context)
}

/** The cheapest form in which nothing is lost; none where it would save next to nothing. */
export function losslessDrafts(text: string, kind: ContentKind, context: LadderOptions): readonly Draft[] {
  const before = context.count(text)
  const candidates = kind === 'json' ? [minifyJson(text), encodeColumns(text)] : [cleanText(text, kind)]
  let best: Draft | undefined
  let least = before - Math.max(4, before * 0.03)
  for (const candidate of candidates) {
    if (candidate === undefined || candidate.length >= text.length) continue
    const tokens = context.count(candidate)
    if (tokens > least) continue
    least = tokens
    best = { rung: 'lossless', text: candidate, fidelity: 1, handle: context.handle }
  }
  return best === undefined ? [] : [best]
}

interface TrimInput {
  readonly text: TextLines
  readonly kind: ContentKind
  readonly report: FailureReport
  /** Tokens of the original. */
  readonly tokens: number
  readonly context: LadderOptions
}

/** The original with its least needed lines folded away, at two depths. */
function trimmedDrafts({ text, kind, report, tokens, context }: TrimInput): readonly Draft[] {
  const score = context.lineValue ?? lineImportance
  const values = withFailures(score(text.lines, kind, context), text.lines, report)
  const perLine = estimatedTokens(text, tokens)
  const markerTokens = context.count(`${foldMarker({ first: 100, last: 200, handle: context.handle }, true)}\n`)
  return trimShares.map((share) => {
    const keep = chooseWithin({ values, tokens: perLine, markerTokens }, share * tokens)
    const { text: shown } = trimLines({ text, keep, handle: context.handle })
    return { rung: 'trimmed' as const, text: shown, fidelity: keptWorth(values, keep), handle: context.handle }
  })
}

/** Tokens of each line, in proportion to its length: one count instead of thousands. */
function estimatedTokens({ lines, joined }: TextLines, tokens: number): Float32Array {
  let length = 0
  for (const line of lines) length += line.length + 1
  const perCharacter = length === 0 ? 0 : tokens / length
  return Float32Array.from(lines, (line, index) => (line.length + (joined[index] === 1 ? 0 : 1)) * perCharacter)
}

/** Share of the lines' worth that is still shown, below 1. */
function keptWorth(values: Float32Array, keep: Uint8Array): number {
  let kept = 0
  let all = 0
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0
    all += value
    if (keep[index] === 1) kept += value
  }
  return all === 0 ? 0.2 : Math.min(0.99, kept / all)
}
