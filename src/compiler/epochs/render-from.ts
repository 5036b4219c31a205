import type { ConversationContext, Item, LineIndex, Rendition } from '../../core/index.ts'
import { lacksDataOnly, saysEnds } from '../../ladders/index.ts'
import type { FactReader } from '../../ladders/index.ts'
import { endsReader } from './ends-reader.ts'

export interface RenderOptions {
  readonly items: readonly Item[]
  readonly keys: readonly string[]
  readonly steps: readonly number[]
  readonly tokens: readonly number[]
  readonly facts: FactReader
  /** Until so many tokens are shown nothing is referred to: a prompt must not fall below what its provider caches. */
  readonly leastTokens: number
  /** Whether data in results that come in may be left out. */
  readonly mayCutData: boolean
  /** Whether texts that an edit has replaced may be folded in calls that come in. */
  readonly mayFoldCalls: boolean
  /** Whether no tool follows handles, so that references name none. */
  readonly brief: boolean
  /** An item in full where it is not shown as it came. */
  dressed(index: number): Rendition | undefined
  /** The ways to show an item, dearest first, given what the conversation knows. */
  rungsOf(index: number, conversation: ConversationContext): readonly Rendition[]
}

/** Renditions of a conversation, and the index of the lines they show. */
export interface Rendered {
  readonly renditions: readonly Rendition[]
  readonly index: LineIndex
}

/**
 * Continues a conversation from `before`: items with a chosen rendition are shown so, the rest as on first appearance:
 * in the cheapest form that loses nothing, with references only to lines that are still shown.
 */
export function renderFrom(
  before: Rendered,
  chosen: readonly (Rendition | undefined)[],
  options: RenderOptions,
): Rendered {
  const { items, keys, steps, facts, leastTokens, brief, mayCutData, mayFoldCalls } = options
  const renditions = [...before.renditions]
  const ends = endsReader(options)
  let isSaid = renditions.some(({ text }) => saysEnds(text))
  let { index } = before
  let isLarge: boolean | undefined
  // Definitions of tools stand before everything that could make a prompt large enough to be cached: all of it counts.
  const mayMinify = (): boolean => (isLarge ??= options.tokens.reduce((all, count) => all + count, 0) >= leastTokens)
  let sum = renditions.reduce((all, shown) => all + shown.tokens, 0)
  for (let at = renditions.length; at < items.length; at++) {
    const item = items[at]
    if (item === undefined) break
    const isLargeEnough = (): boolean => sum + (options.tokens[at] ?? 0) >= leastTokens
    const mayChange =
      (item.kind === 'tool-result' && isLargeEnough()) ||
      (item.kind === 'tool-call' && mayFoldCalls && isLargeEnough()) ||
      (item.kind === 'tool-schema' && mayMinify())
    const conversation = (): ConversationContext => {
      if (item.kind === 'tool-schema') return { lowestRung: 'lossless' }
      if (item.kind === 'tool-call') return { shownLines: index }
      const usual = ends.before(at)
      const step = brief && !isSaid ? ends.shownIn(usual, at, renditions) : undefined
      const usualEnds = { ...usual, isSaid, ...(step !== undefined && { step }) }
      return { shownLines: index, ...(brief && { brief }), usualEnds, ...(mayCutData && { mayCutData }) }
    }
    const arriving = (): Rendition => {
      const found =
        mayChange && !standsShorter(options, at)
          ? onArrival(options, at, { conversation: conversation(), before: sum })
          : undefined
      // What comes in must not bring a prompt below what its provider caches.
      return found !== undefined && (item.kind === 'tool-schema' || sum + found.tokens >= leastTokens)
        ? found
        : whole(options, at)
    }
    const shown = chosen[at] ?? arriving()
    renditions.push(shown)
    isSaid ||= saysEnds(shown.text)
    sum += shown.tokens
    // Lines that are not shown as they came are nothing to refer to.
    if (!isTool(item) || options.dressed(at) !== undefined) continue
    const lines = facts.eachLineOf(item, shown.text)
    if (lines.length > 1 || lines[0] !== '')
      index = index.add({ key: keys[at] ?? '', step: steps[at] ?? 0, call: item.kind === 'tool-call' }, lines)
  }
  return { renditions, index }
}

/** What results may refer to: what tools were asked and what they returned. */
function isTool({ kind }: Item): boolean {
  return kind === 'tool-result' || kind === 'tool-call'
}

/** Whether an item comes in as an extract of itself. */
function standsShorter({ dressed }: RenderOptions, at: number): boolean {
  const { fidelity = 1 } = dressed(at) ?? {}
  return fidelity < 1
}

interface Arrival {
  readonly conversation: ConversationContext
  /** Tokens that stand before the item. */
  readonly before: number
}

/** The cheapest form that loses nothing, or nothing but data where that pays. */
function onArrival(options: RenderOptions, at: number, { conversation, before }: Arrival): Rendition {
  const rungs = options.rungsOf(at, conversation)
  const lossless = rungs.findLast(({ rung }) => rung === 'full' || rung === 'lossless') ?? whole(options, at)
  const isCall = options.items[at]?.kind === 'tool-call'
  const mayShorten = isCall || conversation.mayCutData === true
  const cut = mayShorten
    ? rungs.findLast(({ rung, text }) => rung === 'trimmed' && (isCall || lacksDataOnly(text)))
    : undefined
  if (cut === undefined) return lossless
  // Where the tool that follows handles must come in first, all that stands before is written anew.
  const saved = lossless.tokens - cut.tokens
  const least = isCall ? 1 : leastCut
  return saved >= (options.brief ? Math.max(least, before) : least) ? cut : lossless
}

/** Tokens; less data is not worth a marker. */
const leastCut = 64

/** The item as it came. */
export function whole({ items, tokens, dressed }: RenderOptions, at: number): Rendition {
  return dressed(at) ?? { rung: 'full', text: items[at]?.text ?? '', tokens: tokens[at] ?? 0, fidelity: 1 }
}
