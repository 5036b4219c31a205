import type { Manifest, ManifestDecision } from './manifest.ts'

/** Whether a compile ended with a pack. */
export function hasPack({ outcome }: Pick<Manifest, 'outcome'>): boolean {
  return outcome !== 'budget-exhausted' && outcome !== 'split-required'
}

/** The tokens that a request without a pack needed at least, and those that its window had for it. */
export interface Shortage {
  readonly neededTokens: number
  readonly availableTokens: number
  readonly why: string
}

/** Why a request has no pack; undefined where it has one. */
export function shortageOf(manifest: Manifest): Shortage | undefined {
  if (hasPack(manifest)) return undefined
  const { sections, windowTokens, reserveTokens, overheadTokens, originalTokens, overflow } = manifest
  const granted = sections.reduce((sum, { allocatedTokens }) => sum + allocatedTokens, 0)
  const availableTokens = Math.max(0, windowTokens - reserveTokens - overheadTokens)
  const neededTokens = granted > availableTokens ? granted : originalTokens
  return { neededTokens, availableTokens, why: whyNoPack(manifest.outcome, overflow) }
}

function whyNoPack(outcome: Manifest['outcome'], overflow: Manifest['overflow']): string {
  if (outcome === 'split-required') return 'only dividing the request would make it fit'
  if (overflow === 'fail-loud') return 'its overflow policy, fail-loud, leaves nothing out'
  return 'what its policy keeps does not fit, even in its shortest forms'
}

/** The manifest of a request that has no pack, as the client sent it: every item in full. One with a pack is returned as it is. */
export function shownManifest(manifest: Manifest): Manifest {
  if (hasPack(manifest)) return manifest
  return {
    ...manifest,
    packTokens: manifest.originalTokens,
    truncations: [],
    decisions: manifest.decisions.map(inFull),
    sections: manifest.sections.map((section) => ({
      ...section,
      usedTokens: section.demandTokens,
      included: section.included + section.excluded,
      excluded: 0,
    })),
  }
}

function inFull({ handle: _handle, ...decision }: ManifestDecision): ManifestDecision {
  return { ...decision, rung: 'full', reason: 'as-it-came', tokens: decision.originalTokens }
}
