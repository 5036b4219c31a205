import type { Policy } from '../src/core/index.ts'
import { compressionOf } from '../src/compiler/index.ts'
import type { UtilisationCase } from './utilisation-cases.ts'
import { packsOf } from './utilisation-measures.ts'

/** How far one section was compressed, over many packs that had something of it. */
export interface SectionMeasure {
  packs: number
  /** Packs in which more was taken away than the band allows, by shortening and by selection. */
  above: number
  /** Mean share that was taken away, by both. */
  meanRemoved: number
  /** Mean share that shorter forms took away of what is shown. */
  meanShortened: number
  /** The most that a shorter form took away of one shown item. */
  mostShortened: number
}

export interface CompressionMeasures {
  readonly sections: Readonly<Record<string, SectionMeasure>>
  /** Packs whose request does not stand in them byte for byte. */
  readonly requestsChanged: number
  readonly refused: number
}

/** How far what is shown, and what is shown of all, was compressed, beside the bands. */
export function compressionMeasures(
  cases: readonly UtilisationCase[],
  policy: Policy,
  windowTokens: number,
): CompressionMeasures {
  const sections: Record<string, SectionMeasure> = {}
  let [requestsChanged, refused] = [0, 0]
  for (const { packed, input } of packsOf(cases, policy, windowTokens)) {
    const { pack, manifest } = packed
    if (pack === undefined) {
      refused += 1
      continue
    }
    const asked =
      input.frame?.request ?? input.items.findLast(({ role, kind }) => role === 'user' && kind === 'text')?.text
    const texts =
      pack.layout === 'payload' ? pack.messages.map(({ text }) => text) : pack.entries.map(({ text }) => text)
    if (asked !== undefined && !texts.some((text) => text.includes(asked))) requestsChanged += 1
    for (const { section, removedRatio, place } of compressionOf(manifest)) {
      const sum = (sections[section] ??= { packs: 0, above: 0, meanRemoved: 0, meanShortened: 0, mostShortened: 0 })
      const shown = manifest.decisions.filter((one) => one.section === section && one.rung !== 'omitted')
      const lost = shown.map(({ tokens, originalTokens }) => Math.max(0, 1 - tokens / Math.max(1, originalTokens)))
      const original = shown.reduce((tokens, { originalTokens }) => tokens + originalTokens, 0)
      const left = shown.reduce((tokens, one) => tokens + Math.min(one.tokens, one.originalTokens), 0)
      sum.packs += 1
      sum.above += place === 'above' ? 1 : 0
      sum.meanRemoved += (removedRatio - sum.meanRemoved) / sum.packs
      sum.meanShortened += ((original === 0 ? 0 : 1 - left / original) - sum.meanShortened) / sum.packs
      sum.mostShortened = Math.max(sum.mostShortened, ...lost)
    }
  }
  return { sections, requestsChanged, refused }
}
