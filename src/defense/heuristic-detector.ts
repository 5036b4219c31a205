import type { InjectionDetector, InjectionReason, InjectionScore } from '../core/index.ts'
import { chance } from './chance.ts'
import { readDilution } from './dilution.ts'
import { isWithin } from './evidence.ts'
import type { Evidence } from './evidence.ts'
import { hiddenSpans } from './hidden-spans.ts'
import { normaliseUntrusted } from './normalise-untrusted.ts'
import { readPatterns } from './patterns.ts'
import { readSentences } from './read-sentences.ts'

/**
 * Looks for orders to a model by their words and forms, in fifteen languages and under the usual encodings. It knows no meaning: it
 * finds what is usual, an order in words of its own passes, and so it is one layer of several. Takes time in proportion to the text.
 */
export const heuristicDetector: InjectionDetector = {
  id: 'prehend-heuristic/1',
  score: (text) => scoreOf(text),
}

/** Characters within which things that speak for an order belong together. */
const reach = 600

/** What an order gains in weight by being encoded. */
const encodedWeight = 0.5

/** Below it there is nothing that an encoding could hide. */
const leastOrder = 0.25

/** Text in characters that nothing shows is there for machines only, whatever it says. */
const unseenWeight = 0.5
const unseen: ReadonlySet<string> = new Set(['tags', 'selectors'])
const leastUnseen = 8

function scoreOf(text: string): InjectionScore {
  const { text: plain, decoded, encodings } = normaliseUntrusted(text)
  const shown = weigh(evidenceOf(plain))
  const isDisguised = encodings.some((one) => one !== 'escapes') && plain !== text
  const before = isDisguised && shown.score >= leastOrder ? weigh(evidenceOf(text)).score : shown.score
  const scores = [shown]
  // What is only found once a disguise is off was meant to be missed.
  if (shown.score > before + 0.1) scores.push(withReason(shown, 'encoded-text', encodedWeight))
  for (const one of decoded) {
    const inner = weigh(evidenceOf(normaliseUntrusted(one.text).text))
    const isUnseen = unseen.has(one.encoding) && one.text.length >= leastUnseen
    if (inner.score >= leastOrder) scores.push(withReason(inner, 'encoded-text', encodedWeight))
    else if (isUnseen) scores.push({ score: unseenWeight, reasons: ['encoded-text'] })
  }
  return scores.reduce((most, one) => (one.score > most.score ? one : most))
}

function withReason({ score, reasons }: InjectionScore, reason: InjectionReason, weight: number): InjectionScore {
  return { score: chance([score, weight]), reasons: [...reasons, reason] }
}

/** What is told of attacks is less likely one. */
const toldWeight = 0.5

const hiddenWeight = 0.4

function evidenceOf(text: string): readonly Evidence[] {
  const { found, told } = readSentences(text)
  const forms = readPatterns(text)
  if (found.length + forms.length === 0 && text.length < 1200) return noEvidence
  const all = [...found, ...forms].map((one) =>
    isWithin(told, one.at) ? { ...one, weight: one.weight * toldWeight } : one,
  )
  const hidden = all.length === 0 ? [] : hiddenSpans(text)
  const concealed = all.filter(({ at, weight }) => weight >= 0.2 && isHidden(hidden, at))
  return [
    ...all,
    ...concealed.map(({ at }): Evidence => ({ reason: 'hidden-text', weight: hiddenWeight, at })),
    ...readDilution(text, all),
  ].toSorted((a, b) => a.at - b.at)
}

const noEvidence: readonly Evidence[] = []

/** A sentence may begin before the part of it that is hidden does. */
function isHidden(spans: readonly { readonly start: number; readonly end: number }[], at: number): boolean {
  return isWithin(spans, at) || isWithin(spans, at + 40)
}

/** The most that what stands close together says: of each reason the strongest, joined as independent witnesses. */
function weigh(evidence: readonly Evidence[]): InjectionScore {
  let best: InjectionScore = { score: 0, reasons: [] }
  for (let first = 0; first < evidence.length; first += 1) {
    const from = evidence[first]?.at ?? 0
    const strongest = new Map<InjectionReason, number>()
    for (let next = first; next < evidence.length && next < first + mostTogether; next += 1) {
      const { reason, weight, at } = evidence[next] ?? { reason: 'dilution', weight: 0, at: Infinity }
      if (at > from + reach) break
      strongest.set(reason, Math.max(strongest.get(reason) ?? 0, weight))
    }
    best = better(best, strongest)
  }
  return best
}

/** More witnesses in one place say nothing new. */
const mostTogether = 40

function better(best: InjectionScore, strongest: ReadonlyMap<InjectionReason, number>): InjectionScore {
  const score = chance(strongest.values())
  if (score <= best.score) return best
  const reasons = [...strongest].toSorted(([, a], [, b]) => b - a).map(([reason]) => reason)
  return { score, reasons }
}
