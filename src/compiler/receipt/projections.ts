import type { BudgetTier, Manifest, ReasonCode, Rung, Section } from '../../core/index.ts'

/** What a category of a workspace was given, and why not more. */
export interface AssemblyReason {
  readonly category: Section
  readonly tokensAllocated: number
  readonly tokensUsed: number
  readonly itemsIncluded: number
  readonly itemsExcluded: number
  readonly reason: string
}

/** The receipt as one entry per section, the way learning loops read it. */
export function assemblyReasons(manifest: Manifest): readonly AssemblyReason[] {
  return manifest.sections.map(({ section, allocatedTokens, usedTokens, included, excluded }) => {
    const causes = manifest.truncations.filter((event) => event.section === section).map(({ reason }) => reason)
    return {
      category: section,
      tokensAllocated: allocatedTokens,
      tokensUsed: usedTokens,
      itemsIncluded: included,
      itemsExcluded: excluded,
      reason: causes.length === 0 ? 'fits' : [...new Set(causes)].join(', '),
    }
  })
}

/** Ids and times are the host's: they stand outside of what is hashed. */
export interface TraceStamp {
  /** A UUID. */
  readonly traceId: string
  /** ISO-8601. */
  readonly timestamp: string
  readonly latencyMs: number
}

export interface CompilationTrace extends TraceStamp {
  readonly configVersion: string
  readonly inputHash: string
  readonly outputHash: string
  readonly totalTokens: number
  /** Of what was offered, before anything was chosen or shortened. */
  readonly originalTokens: number
  readonly sectionAllocations: Readonly<
    Record<
      Section,
      { readonly allocated: number; readonly used: number; readonly demanded: number; readonly overflow: number }
    >
  >
  readonly excludedItems: readonly {
    readonly itemId: string
    readonly section: Section
    readonly reason: ReasonCode
    readonly score?: number
  }[]
  /** Share of the demand that was kept, by section. */
  readonly keepRatios: Readonly<Record<Section, number>>
  /** Share of it that went; with the one above it makes 1. */
  readonly removedRatios: Readonly<Record<Section, number>>
}

/** The receipt as a compilation trace. */
export function compilationTrace(manifest: Manifest, stamp: TraceStamp): CompilationTrace {
  const { sections, decisions } = manifest
  return {
    ...stamp,
    configVersion: manifest.policyVersion,
    inputHash: manifest.inputHash,
    outputHash: manifest.packHash,
    totalTokens: manifest.packTokens,
    originalTokens: manifest.originalTokens,
    sectionAllocations: Object.fromEntries(
      sections.map(({ section, allocatedTokens, usedTokens, demandTokens }) => [
        section,
        {
          allocated: allocatedTokens,
          used: usedTokens,
          demanded: demandTokens,
          overflow: Math.max(0, demandTokens - allocatedTokens),
        },
      ]),
    ) as CompilationTrace['sectionAllocations'],
    excludedItems: decisions
      .filter(({ rung }) => rung === 'omitted')
      .map(({ itemId, section, reason, score }) => ({
        itemId,
        section,
        reason,
        ...(score === undefined ? {} : { score }),
      })),
    keepRatios: ratiosOf(manifest, (keepRatio) => keepRatio),
    removedRatios: ratiosOf(manifest, (keepRatio) => 1 - keepRatio),
  }
}

/** By section that asked for anything. */
function ratiosOf({ sections }: Manifest, of: (keepRatio: number) => number): Readonly<Record<Section, number>> {
  return Object.fromEntries(
    sections
      .filter(({ demandTokens }) => demandTokens > 0)
      .map(({ section, usedTokens, demandTokens }) => [section, of(Math.min(1, usedTokens / demandTokens))]),
  ) as Readonly<Record<Section, number>>
}

/** A receipt as the manifest of a context pack. Sizes are in tokens. */
export interface ContextPackManifest {
  readonly packId: string
  readonly createdAt: string
  readonly model?: string
  readonly window: number
  readonly layerBudgets: readonly { readonly layer: Section; readonly tier: BudgetTier; readonly tokens: number }[]
  readonly truncationEvents: readonly {
    readonly layer: Section
    readonly reason: ReasonCode
    readonly rung: Rung
    readonly droppedIds: readonly string[]
  }[]
  readonly artifactUris: readonly string[]
  readonly allocatorSignals: Readonly<Record<string, number>>
  readonly evidenceNeeded: boolean
  readonly checksum: string
}

/** The receipt as the manifest of a context pack, layers in logical order. */
export function contextPackManifest(manifest: Manifest, createdAt: string): ContextPackManifest {
  const { packHash, model, windowTokens, sections, truncations, artifactUris = [], signals } = manifest
  return {
    packId: packHash,
    createdAt,
    ...(model === undefined ? {} : { model }),
    window: windowTokens,
    layerBudgets: sections.map(({ section, tier, allocatedTokens }) => ({
      layer: section,
      tier,
      tokens: allocatedTokens,
    })),
    truncationEvents: truncations.map(({ section, reason, rung, itemIds }) => ({
      layer: section,
      reason,
      rung,
      droppedIds: itemIds,
    })),
    artifactUris,
    allocatorSignals: signals,
    evidenceNeeded: manifest.evidenceNeeded ?? false,
    checksum: `sha256:${packHash}`,
  }
}
