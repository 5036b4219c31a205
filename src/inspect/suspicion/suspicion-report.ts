import type { InjectionDetector } from '../../core/index.ts'
import type { SuspectText } from './read-suspects.ts'

/** What a detector makes of texts of one source of which somebody has said whether they hold orders. */
export interface SourceReport {
  readonly source: string
  readonly benign: number
  readonly attacks: number
  /** Share of the benign that is taken for orders at the threshold; null where there are none. */
  readonly flagged: number | null
  /** Share of the attacks that is found at the threshold; null where there are none. */
  readonly found: number | null
  /** How likely an attack scores above a benign text, ties counted half; null where there are not both. */
  readonly auc: number | null
}

export interface DetectorReport {
  readonly name: string
  readonly threshold: number
  /** All of them first, then source by source. */
  readonly sources: readonly SourceReport[]
}

export interface SuspicionReport {
  readonly name: string
  readonly texts: number
  readonly detectors: readonly DetectorReport[]
}

export interface NamedDetector {
  readonly name: string
  readonly detector: InjectionDetector
  readonly threshold: number
}

interface Scored {
  readonly source: string
  readonly isAttack: boolean
  readonly score: number
}

/** Texts as results of tools are read: of nobody who is trusted. */
export function suspicionReport(
  name: string,
  texts: readonly SuspectText[],
  detectors: readonly NamedDetector[],
): SuspicionReport {
  const sources = ['all', ...new Set(texts.map(({ source }) => source))]
  return {
    name,
    texts: texts.length,
    detectors: detectors.map(({ name: by, detector, threshold }) => {
      const scored = texts.map(({ source, text, isAttack }): Scored => {
        return { source, isAttack, score: detector.score(text, { trust: 'untrusted' }).score }
      })
      const of = (source: string): readonly Scored[] =>
        source === 'all' ? scored : scored.filter((one) => one.source === source)
      return { name: by, threshold, sources: sources.map((source) => sourceReport(source, of(source), threshold)) }
    }),
  }
}

function sourceReport(source: string, scored: readonly Scored[], threshold: number): SourceReport {
  const attacks = scored.filter(({ isAttack }) => isAttack)
  const benign = scored.filter(({ isAttack }) => !isAttack)
  const share = (of: readonly Scored[]): number | null =>
    of.length === 0 ? null : of.filter(({ score }) => score >= threshold).length / of.length
  return {
    source,
    benign: benign.length,
    attacks: attacks.length,
    flagged: share(benign),
    found: share(attacks),
    auc: areaUnder(attacks, benign),
  }
}

/** By ranks, the mean rank where scores are equal. */
function areaUnder(attacks: readonly Scored[], benign: readonly Scored[]): number | null {
  if (attacks.length === 0 || benign.length === 0) return null
  const sorted = [...attacks, ...benign].toSorted((a, b) => a.score - b.score)
  let ranks = 0
  for (let at = 0; at < sorted.length;) {
    let end = at
    while (end < sorted.length && sorted[end]?.score === sorted[at]?.score) end += 1
    const rank = (at + 1 + end) / 2
    ranks += rank * sorted.slice(at, end).filter(({ isAttack }) => isAttack).length
    at = end
  }
  return (ranks - (attacks.length * (attacks.length + 1)) / 2) / (attacks.length * benign.length)
}
