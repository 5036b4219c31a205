import type { Manifest, Section } from '../../core/index.ts'

/** From how much to how much, as shares of the tokens that are taken away. */
export type Band = readonly [least: number, most: number]

/** How far each part of a context may be compressed; tools by selection, the user's words never. */
export const compressionBands = {
  policy: [0, 0.05],
  role: [0, 0.05],
  tools: [0.7, 0.95],
  memory: [0.1, 0.2],
  evidence: [0.5, 0.8],
  enrichment: [0.6, 0.8],
  history: [0.3, 0.5],
  query: [0, 0],
} as const satisfies Readonly<Record<string, Band>>

/** How far a section was compressed, compared with the band that is usual for it. */
export interface SectionCompression {
  readonly section: Section
  /** Share of the section's tokens that were taken away. */
  readonly removedRatio: number
  /** Where that lies; `below` is less compression than the band expects, which nobody minds. */
  readonly place: 'below' | 'within' | 'above'
}

/** How far a pack compressed each section that had items, by shortening and by selection, beside what is tolerated. */
export function compressionOf(
  { decisions }: Pick<Manifest, 'decisions'>,
  bands: Readonly<Record<string, Band>> = compressionBands,
): readonly SectionCompression[] {
  return Object.entries(bands).flatMap(([section, band]) => {
    const own = decisions.filter((decision) => decision.section === section)
    const original = own.reduce((sum, { originalTokens }) => sum + originalTokens, 0)
    if (original === 0) return []
    const shown = own.reduce((sum, { tokens }) => sum + tokens, 0)
    const removedRatio = Math.max(0, 1 - shown / original)
    return [{ section, removedRatio, place: placeOf(removedRatio, band) }]
  })
}

function placeOf(ratio: number, [least, most]: Band): SectionCompression['place'] {
  if (ratio < least) return 'below'
  return ratio > most ? 'above' : 'within'
}
