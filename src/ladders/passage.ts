import type { Item, LadderMaker } from '../core/index.ts'
import { contentKind } from './content-kind.ts'
import { withDenials } from './denying-lines.ts'
import { statesFailure } from './failure.ts'
import { fullRendition } from './full.ts'
import type { LadderOptions } from './ladder-options.ts'
import { losslessDrafts } from './lossless-drafts.ts'
import { pointer } from './marker.ts'
import { writeMarker } from './marker-grammar.ts'
import { oldTextDrafts } from './old-text.ts'
import type { Draft } from './renditions.ts'
import { proseDrafts } from './prose-drafts.ts'
import { measured } from './renditions.ts'
import { isSpokenLine, isStructuredLine } from './structured-line.ts'
import { tableDrafts } from './table-drafts.ts'
import { isOneLine, splitLines, textLines } from './text-lines.ts'
import type { TextLines } from './text-lines.ts'
import { trimmedDrafts, trimShares } from './trimmed-drafts.ts'

const minTrimTokens = 120
const minLineTokens = 40

/** Whoever asks for an exact text must be read exactly. */
const asksForExactness =
  /\b(?:exactly|verbatim|word[- ]for[- ]word|character[- ]for[- ]character|byte[- ]for[- ]byte|literally|as[- ]is|unchanged|precisely)\b/i

/** Sections that are never shown at less than full: what is asked now, and what must hold. */
const untouchable: ReadonlySet<string> = new Set(['policy', 'role', 'task', 'query'])

/** How a user's or the model's words, a memory or a piece of evidence may be shown. An extract is named as one. */
export const passageLadder: LadderMaker = (item, context: LadderOptions) => {
  const full = fullRendition(item, context)
  const exact = item.role === 'user' && asksForExactness.test(item.text)
  if (exact || untouchable.has(item.section) || full.tokens < minLineTokens) return [full]
  if (context.conversation?.isOldText === true) return measured(full, oldTextDrafts(item.text, context), context)
  const mayTrim = full.tokens >= minTrimTokens && !isOneLine(item.text)
  // What kind of text it is matters to what goes into it alone.
  const text = mayTrim || context.prose !== undefined ? textLines(item.text) : undefined
  const { handle } = context
  const drafts: Draft[] = []
  const tidy = withoutLooseEnds(item.text)
  if (tidy.length < item.text.length && context.losslessForms !== false)
    drafts.push({ rung: 'lossless', text: tidy, fidelity: 1, handle })
  if (isFound(item) && beginsJson.test(item.text) && contentKind(item.text) === 'json')
    drafts.push(...losslessDrafts(item.text, 'json', context))
  const shorter =
    context.prose === undefined || text === undefined || !isProse(text)
      ? []
      : proseDrafts({ item, wish: context.prose, context })
  drafts.push(...shorter)
  if (text !== undefined && mayTrim && shorter.length === 0) {
    const label = writeMarker('extract', { handle })
    const rated = passageValues(text, item)
    const values = isFound(item) ? withDenials(rated, text.lines, text.kind) : rated
    const { tokens } = full
    drafts.push(
      ...(tableOf(item, text, { tokens, context }) ?? trimmedDrafts({ text, values, tokens, context, label })),
    )
  }
  drafts.push({
    rung: 'line',
    text: passageLine({ item, lines: text?.lines ?? splitLines(item.text).lines, tokens: full.tokens, handle }),
    fidelity: 0.05,
    handle,
  })
  drafts.push({ rung: 'pointer', text: pointer(handle, 'ok'), fidelity: 0.01, handle })
  return measured(full, drafts, context)
}

/** What was found and is a table; no line of it says that it must stay but one that states a failure. */
function tableOf(
  item: Item,
  { kind, lines }: TextLines,
  { tokens, context }: { readonly tokens: number; readonly context: LadderOptions },
): readonly Draft[] | undefined {
  if (!isFound(item) || (kind !== 'table' && kind !== 'json')) return undefined
  const values = Float32Array.from(lines, (line) => (statesFailure(line) ? 1 : 0))
  return tableDrafts({ text: item.text, kind, values, tokens, shares: trimShares, context })
}

/** Words are left out of sentences, never of data. */
function isProse({ kind }: TextLines): boolean {
  return kind === 'prose' || kind === 'mail'
}

const beginsJson = /^\s{0,64}[[{]/

/** What was looked up or remembered may be structured data; words of people and models are as they said them. */
function isFound({ kind }: Item): boolean {
  return kind === 'evidence' || kind === 'memory'
}

/** Spaces at line ends go, except between code fences, where they may be meant. */
function withoutLooseEnds(text: string): string {
  if (!mayEndLoosely(text)) return text
  let fenced = false
  const lines = text.split('\n').map((line) => {
    if (/^\s*(?:```|~~~)/.test(line.slice(0, 80))) fenced = !fenced
    const body = line.endsWith('\r') ? line.slice(0, -1) : line
    return fenced ? line : body.trimEnd() + line.slice(body.length)
  })
  return lines.join('\n')
}

/** Whether the last character of a line may be white space. */
function mayEndLoosely(text: string): boolean {
  for (let start = 0; start <= text.length;) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed
    const last = end - (text.charCodeAt(end - 1) === carriageReturn ? 2 : 1)
    const code = text.charCodeAt(last)
    if (last >= start && (code <= blank || code >= beyondAscii)) return true
    start = end + 1
  }
  return false
}

const carriageReturn = 13
const blank = 32
const beyondAscii = 128

/** Of a turn's first line, where it is shown at all. */
const longestOpening = 240

/** Decisions, corrections and constraints, in the words people use for them. */
const decisive =
  /\b(?:must|never|always|do not|don't|cannot|instead|actually|wrong|incorrect|correction|should|only|decided|decision|agreed|we will|let's|important|prefer|require[ds]?|because|conclusion|therefore|in short|to summari[sz]e|root cause|remember|todo|next step)\b|^(?:no|yes|ok|stop)\b[,.! ]/i

/**
 * What a user begins with, insists on or reports as failing is never folded, nor is the line in which the model says what its turn is about:
 * a closing formula says nothing without it. The rest by where it stands and how it is set.
 */
function passageValues(text: TextLines, { role, section }: Item): Float32Array {
  const { lines } = text
  const isUser = role === 'user'
  const firstEnd = paragraphEnd(lines, 0, 1)
  const lastStart = paragraphEnd(lines, lines.length - 1, -1)
  const opening = lines.findIndex((line) => line.trim() !== '')
  let fence = 0
  const valueOf = (line: string, index: number): number => {
    const opens = /^\s*(?:```|~~~)/.test(line.slice(0, 80))
    if (opens) fence = fence === 0 ? 1 : 0
    else if (fence > 0) fence++
    if (line.trim() === '') return 0.002
    if (opens || fence === 2) return 0.4
    if (fence > 2) return 0.08
    if (isUser && (index === opening || decisive.test(line) || statesFailure(line))) return 1
    if (section === 'history' && index === opening && line.length <= longestOpening) return 1
    if (index <= firstEnd || index >= lastStart) return isSpokenLine(line) ? 0.28 : 0.8
    if (decisive.test(line)) return 0.7
    if (/^#{1,6} |^\*\*[^*]+\*\*/.test(line)) return 0.6
    return isStructuredLine(line) ? 0.3 : 0.2
  }
  const values = new Float32Array(lines.length)
  for (let index = 0; index < lines.length; index += 1) values[index] = valueOf(lines[index] ?? '', index)
  return values
}

/** The last line of the paragraph that holds the first line with text, going up or down; at most six lines away. */
function paragraphEnd(lines: readonly string[], start: number, step: 1 | -1): number {
  let index = start
  while ((lines[index] ?? 'x').trim() === '') index += step
  for (let taken = 0; taken < 5 && (lines[index + step] ?? '').trim() !== ''; taken++) index += step
  return index
}

interface PassageLine {
  readonly item: Item
  readonly lines: readonly string[]
  readonly tokens: number
  readonly handle: string
}

/** `[Turn: user, n tokens]`, the handle, how it begins, and of a user's turn what he insists on. */
function passageLine({ item, lines, tokens, handle }: PassageLine): string {
  const form = item.kind === 'evidence' || item.kind === 'memory' ? item.kind : 'turn'
  const name = form === 'turn' ? (item.role ?? 'user') : plainSource(item.provenance?.sourceId)
  const told = lines.filter((line) => line.trim() !== '')
  const kept = told.filter((line, index) => index === 0 || (item.role === 'user' && decisive.test(line))).slice(0, 4)
  return [
    writeMarker(form, { name, tokens, handle }),
    ...kept.map((line) => line.slice(0, longestOpening).toWellFormed()),
  ].join('\n')
}

function plainSource(sourceId: string | undefined): string {
  return (sourceId ?? 'unnamed').replace(/[^\p{L}\p{N}_.:/#-]+/gu, '_').slice(0, 80)
}
