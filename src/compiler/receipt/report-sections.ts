import type {
  Budget,
  ManifestDecision,
  ManifestSection,
  Section,
  SectionBudget,
  TruncationEvent,
} from '../../core/index.ts'
import { allOf } from '../items/same-elements.ts'

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
 * One entry per section of the budget, and what was shortened or left out in each, by reason and rung. Decisions that have not changed
 * are not counted again, and a section that stands as in the last report is the same object.
 */
export function sectionReporter(): ReportSections {
  const known = new Map<Section, Tally>()
  return (budget, uses, decisions) => {
    const truncations: TruncationEvent[] = []
    const useOf = new Map(uses.map((use) => [use.section, use]))
    const reported = budget.sections.map((own): ManifestSection => {
      const { section } = own
      const use = useOf.get(section) ?? { section, members: [] }
      const before = known.get(section)
      const tally = talliedAgain(before, use, decisions)
      if (tally !== before) {
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

/** What decisions come to. */
interface Counts {
  readonly truncations: readonly TruncationEvent[]
  readonly used: number
  readonly demand: number
  readonly excluded: number
  /** Tokens of what is shown, as it came and as is left of it. */
  readonly original: number
  readonly left: number
}

interface Truncation extends TruncationEvent {
  readonly itemIds: string[]
  removedTokens: number
}

/** Of some decisions in a row, so that the others need not be counted again. */
interface Block extends Counts {
  readonly decisions: readonly (ManifestDecision | undefined)[]
}

interface Tally extends Counts {
  readonly members: number
  readonly blocks: readonly Block[]
  readonly fidelity: number | undefined
  /** As the last report had it. */
  reported: ManifestSection | undefined
}

const blockSize = 64

/** The tally before where nothing has changed. */
function talliedAgain(before: Tally | undefined, use: SectionUse, decisions: readonly ManifestDecision[]): Tally {
  const { section, members } = use
  const blocks: Block[] = []
  let hasChanged = before?.members !== members.length
  for (let start = 0; start < members.length; start += blockSize) {
    let block = before?.blocks[blocks.length]
    if (block === undefined || !isCurrent(block, { members, start, decisions })) {
      hasChanged = true
      block = blockOf(
        section,
        members.slice(start, start + blockSize).map((index) => decisions[index]),
      )
    }
    blocks.push(block)
  }
  if (before !== undefined && !hasChanged) return before
  const counts = sumOf(blocks)
  // By tokens: what loses nothing counts whole, what is shortened as much as is left of it.
  const fidelity = counts.left === counts.original ? undefined : counts.left / counts.original
  return { ...counts, members: members.length, blocks, fidelity, reported: undefined }
}

interface InPlace {
  readonly members: readonly number[]
  readonly start: number
  readonly decisions: readonly ManifestDecision[]
}

function isCurrent({ decisions: own }: Block, { members, start, decisions }: InPlace): boolean {
  if (own.length !== Math.min(blockSize, members.length - start)) return false
  for (let at = 0; at < own.length; at += 1) if (!Object.is(own[at], decisions[members[start + at] ?? -1])) return false
  return true
}

function blockOf(section: Section, decisions: Block['decisions']): Block {
  const truncations: Truncation[] = []
  let used = 0
  let demand = 0
  let excluded = 0
  let original = 0
  let left = 0
  for (const decision of decisions) {
    if (decision === undefined) continue
    const { rung, tokens, originalTokens } = decision
    const whole = rung === 'full' || rung === 'lossless'
    used += tokens
    demand += originalTokens
    if (rung === 'omitted') excluded += 1
    else {
      original += originalTokens
      left += whole ? originalTokens : tokens
    }
    if (whole) continue
    const event = eventOf(truncations, section, decision)
    event.itemIds.push(decision.itemId)
    event.removedTokens += originalTokens - tokens
  }
  return { decisions, truncations, used, demand, excluded, original, left }
}

function sumOf(blocks: readonly Block[]): Counts {
  const sum = { used: 0, demand: 0, excluded: 0, original: 0, left: 0 }
  const alike: TruncationEvent[][] = []
  for (const block of blocks) {
    sum.used += block.used
    sum.demand += block.demand
    sum.excluded += block.excluded
    sum.original += block.original
    sum.left += block.left
    for (const own of block.truncations) {
      const known = alike.find(([one]) => isAlike(one, own))
      if (known === undefined) alike.push([own])
      else known.push(own)
    }
  }
  return { ...sum, truncations: alike.flatMap(togetherOf) }
}

function togetherOf(events: readonly TruncationEvent[]): readonly TruncationEvent[] {
  const [first] = events
  if (first === undefined || events.length === 1) return events
  const itemIds = allOf(events.map((event) => event.itemIds))
  return [{ ...first, itemIds, removedTokens: events.reduce((sum, { removedTokens }) => sum + removedTokens, 0) }]
}

type Kind = Pick<TruncationEvent, 'reason' | 'rung'>

function isAlike(one: Kind | undefined, { reason, rung }: Kind): boolean {
  return one?.reason === reason && one.rung === rung
}

/** One after the other they are mostly left out for the same reason. */
function eventOf(truncations: Truncation[], section: Section, kind: Kind): Truncation {
  const [first] = truncations
  const known = isAlike(first, kind) ? first : truncations.find((one) => isAlike(one, kind))
  if (known !== undefined) return known
  const event = { section, reason: kind.reason, rung: kind.rung, itemIds: [], removedTokens: 0 }
  truncations.push(event)
  return event
}
