import type { Item, ProseWish } from '../core/index.ts'
import { readWordWeights } from '../core/index.ts'
import { guidelineRule } from './guideline-rule.ts'
import type { GuidelineRule } from './guideline-rule.ts'
import { distil } from './distil.ts'
import type { LadderOptions } from './ladder-options.ts'
import { writeMarker } from './marker-grammar.ts'
import { fidelityAt, mostRemoved, proseCurves } from './prose-fidelity.ts'
import type { ProseCurves } from './prose-fidelity.ts'
import type { Draft } from './renditions.ts'
import { shortenWords } from './shorten-words.ts'

export interface ProseInput {
  readonly item: Item
  readonly wish: ProseWish
  readonly context: LadderOptions
}

/** Where want of room asks for less than the policy's ratio. */
const scarceShare = 0.5
/** How much the part of a text's propositions that is not said any more counts: what was left out was not often asked for. */
const unsaidWeight = 0.35

/**
 * Prose without the words that a reader misses least, and as its propositions that say most: as much as the wish keeps, then less. Each says what
 * the measured curve says of it, or less where what it leaves out says more than usual.
 */
export function proseDrafts({ item, wish, context }: ProseInput): readonly Draft[] {
  const { keepRatio, minFidelity } = wish
  const curves = proseCurves(item.text, item.section === 'history')
  const rule = wish.guidelines === undefined ? undefined : guidelineRule(wish.guidelines)
  const drafting = { item, wish, context, curves, rule }
  const words = wordsDraft(drafting)
  const floor = 1 - mostRemoved(curves.sentences, minFidelity)
  const ratios = [...new Set([Math.max(keepRatio, floor), keepRatio, keepRatio * scarceShare])]
  const sentences = ratios.flatMap((ratio) => sentencesDraft(drafting, ratio) ?? [])
  return words === undefined ? sentences : [words, ...sentences]
}

interface Drafting extends ProseInput {
  readonly curves: ProseCurves
  readonly rule: GuidelineRule | undefined
}

function wordsDraft({ item: { text, wordWeights }, wish, context, curves, rule }: Drafting): Draft | undefined {
  const least = 1 - mostRemoved(curves.words, wish.minFidelity)
  const worth = wordWeights === undefined ? {} : { worth: readWordWeights(wordWeights) }
  const shown = shortenWords(text, {
    keepRatio: Math.max(wish.keepRatio, least),
    ...worth,
    ...focusOf(context),
    ...(rule && { keeps: rule.keepsWord }),
  })
  if (shown === undefined || shown.length >= text.length) return undefined
  const fidelity = fidelityAt(curves.words, 1 - shown.length / text.length)
  return { rung: 'trimmed', text: labelled(shown, wish, context), fidelity, handle: context.handle }
}

/** Sentences first, as long as words that are left out of them bring the rest. */
const wordsShare = 0.85

function sentencesDraft({ item: { text }, wish, context, curves, rule }: Drafting, ratio: number): Draft | undefined {
  const distilled = distil(text, {
    keepRatio: Math.min(0.95, ratio / wordsShare),
    ...focusOf(context),
    ...(rule && { keeps: rule.keepsProposition }),
  })
  if (distilled === undefined) return undefined
  const shown =
    shortenWords(distilled.text, { keepRatio: (ratio * text.length) / distilled.text.length, ...focusOf(context) }) ??
    distilled.text
  const removed = 1 - shown.length / text.length
  if (removed <= 0) return undefined
  const fidelity = Math.min(fidelityAt(curves.sentences, removed), 1 - unsaidWeight * (1 - distilled.fidelity))
  return { rung: 'summary', text: labelled(shown, wish, context), fidelity, handle: context.handle }
}

/** A text that is shorter says so, and how the original comes back where it can. */
function labelled(shown: string, { unhandled }: ProseWish, { handle }: LadderOptions): string {
  return unhandled ? `[extract]\n${shown}` : `${writeMarker('extract', { handle })}\n${shown}`
}

function focusOf({ focus }: LadderOptions): { readonly focus?: ReadonlySet<string> } {
  return focus === undefined || focus.size === 0 ? {} : { focus }
}
