import type {
  Budget,
  ManifestDecision,
  ManifestSection,
  Section,
  SectionBudget,
  TruncationEvent,
} from '../../core/index.ts'

/** A section's part of the manifest, as far as the decisions do not tell it. */
export interface SectionUse {
  readonly section: Section
  readonly allocatedTokens?: number
  readonly demandTokens?: number
  /** Indexes of the section's items. */
  readonly members: readonly number[]
}

export interface SectionReport {
  readonly sections: readonly ManifestSection[]
  readonly truncations: readonly TruncationEvent[]
}

export type ReportSections = (
  budget: Budget,
  uses: readonly SectionUse[],
  decisions: readonly ManifestDecision[],
) => SectionReport

/**
 * One entry per section of the budget, and what was shortened or left out in each, by reason and rung. A
 * section of which no decision changed is not counted again, and one that stands as in the last report is the same object.
 */
export function sectionReporter(): ReportSections {
  const known = new Map<Section, Tally>()
  return (budget, uses, decisions) => {
    const truncations: TruncationEvent[] = []
    const useOf = new Map(uses.map((use) => [use.section, use]))
    const reported = budget.sections.map((own): ManifestSection => {
      const { section } = own
      const use = useOf.get(section) ?? { section, members: [] }
      let tally = known.get(section)
      if (tally === undefined || !isCurrent(tally, use.members, decisions)) {
        tally = tallyOf(use, decisions)
        if (known.size >= rememberedSections) known.clear()
        known.set(section, tally)
      }
      truncations.push(...tally.truncations)
      tally.reported = unchanged(tally.reported, reportOf(own, use, tally))
      return tally.reported
    })
    return { sections: reported, truncations }
  }
}

function reportOf({ section, tier, min, max }: SectionBudget, use: SectionUse, tally: Tally): ManifestSection {
  return {
    section,
    tier,
    min,
    max,
    allocatedTokens: use.allocatedTokens ?? tally.used,
    usedTokens: tally.used,
    demandTokens: use.demandTokens ?? tally.demand,
    included: use.members.length - tally.excluded,
    excluded: tally.excluded,
    ...(tally.fidelity === undefined ? {} : { fidelity: tally.fidelity }),
  }
}

/** Of the same tally: what it counts has not changed. */
function unchanged(before: ManifestSection | undefined, now: ManifestSection): ManifestSection {
  const isSame =
    before !== undefined &&
    before.tier === now.tier &&
    before.min === now.min &&
    before.max === now.max &&
    before.allocatedTokens === now.allocatedTokens &&
    before.demandTokens === now.demandTokens
  return isSame ? before : now
}

/** Sections have any name; a caller that makes up new ones must not fill the memory. */
const rememberedSections = 64

function isCurrent(tally: Tally, members: readonly number[], decisions: readonly ManifestDecision[]): boolean {
  if (tally.decisions.length !== members.length) return false
  for (let at = 0; at < members.length; at += 1)
    if (!Object.is(tally.decisions[at], decisions[members[at] ?? -1])) return false
  return true
}

function tallyOf({ section, members }: SectionUse, decisions: readonly ManifestDecision[]): Tally {
  const own: (ManifestDecision | undefined)[] = []
  for (const index of members) own.push(decisions[index])
  const tally: Tally = { section, decisions: own, truncations: [], ...nothingCounted }
  for (const decision of own) addDecision(tally, decision)
  // By tokens: what loses nothing counts whole, what is shortened as much as is left of it.
  if (tally.left !== tally.original) tally.fidelity = tally.left / tally.original
  return tally
}

const nothingCounted = {
  used: 0,
  demand: 0,
  excluded: 0,
  original: 0,
  left: 0,
  fidelity: undefined,
  reported: undefined,
} as const

interface Truncation extends TruncationEvent {
  readonly itemIds: string[]
  removedTokens: number
}

interface Tally {
  readonly section: Section
  readonly decisions: readonly (ManifestDecision | undefined)[]
  readonly truncations: Truncation[]
  used: number
  demand: number
  excluded: number
  /** Tokens of what is shown, as it came and as is left of it. */
  original: number
  left: number
  fidelity: number | undefined
  /** As the last report had it. */
  reported: ManifestSection | undefined
}

function addDecision(tally: Tally, decision: ManifestDecision | undefined): void {
  if (decision === undefined) return
  const { rung, tokens, originalTokens } = decision
  const whole = rung === 'full' || rung === 'lossless'
  tally.used += tokens
  tally.demand += originalTokens
  if (rung === 'omitted') tally.excluded += 1
  else {
    tally.original += originalTokens
    tally.left += whole ? originalTokens : tokens
  }
  if (!whole) truncate(tally, decision)
}

function truncate({ section, truncations }: Tally, { rung, reason, tokens, originalTokens, itemId }: ManifestDecision) {
  // One after the other they are mostly left out for the same reason.
  let event = truncations[0]
  if (event?.reason !== reason || event.rung !== rung)
    event = truncations.find((one) => one.reason === reason && one.rung === rung)
  if (event === undefined) {
    event = { section, reason, rung, itemIds: [], removedTokens: 0 }
    truncations.push(event)
  }
  event.itemIds.push(itemId)
  event.removedTokens += originalTokens - tokens
}
