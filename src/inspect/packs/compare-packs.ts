import type { Manifest, ManifestDecision, ReasonCode, Rung, Section } from '../../core/index.ts'
import { isEmptyDelta, workspaceDelta, workspaceOf } from '../../governor/index.ts'
import type { Chosen, WorkspaceDelta } from '../../governor/index.ts'
import { stableJson } from '../../core/index.ts'

/** How an item stood. */
export interface Standing {
  readonly rung: Rung
  readonly reason: ReasonCode
  readonly tokens: number
}

/** An item that was decided upon otherwise; one side is absent where it was no candidate. */
export interface DecisionChange {
  readonly itemId: string
  readonly section: Section
  readonly before?: Standing
  readonly after?: Standing
  /** Whether its own content is other than before. */
  readonly edited: boolean
}

/** A figure of two packs, and the difference. */
export interface FigureChange {
  readonly before: number
  readonly after: number
  /** Signed. */
  readonly delta: number
}

/** The figures of a section in two packs. */
export interface SectionChange {
  readonly section: Section
  readonly usedTokens: FigureChange
  readonly allocatedTokens: FigureChange
  /** Items that are shown. */
  readonly included: FigureChange
}

/** What differs in what was asked for, as far as receipts say. */
export interface SettingChange {
  readonly name: (typeof settings)[number]
  readonly before: string
  readonly after: string
}

/** What changed between two packs: what the model is shown, why, and at what size. Plain data. */
export interface PackComparison {
  /** Whether the same bytes were packed. */
  readonly samePack: boolean
  readonly settings: readonly SettingChange[]
  readonly delta: WorkspaceDelta
  /** In the order of the first, then what only the second knows. */
  readonly decisions: readonly DecisionChange[]
  /** Those in which a figure changed. */
  readonly sections: readonly SectionChange[]
  readonly packTokens: FigureChange
  readonly originalTokens: FigureChange
  /** Share of the room for items, in [0, 1]. */
  readonly utilisation: FigureChange
}

const settings = [
  'outcome',
  'model',
  'policyId',
  'policyVersion',
  'policyRevision',
  'overrides',
  'overflow',
  'layout',
  'markup',
  'tokenizerId',
  'windowTokens',
  'reserveTokens',
  'overheadTokens',
] as const

/**
 * Compares two results of compiles, or two receipts (`{ manifest }`), by items and sections. With packs on both sides what was edited is told
 * with its texts. There and back every figure has the opposite sign.
 *
 * ```ts
 * import { compile, evidence } from 'prehend'
 * import { comparePacks } from 'prehend/inspect'
 *
 * const items = [evidence('The build broke on Monday.', 'wiki/builds')]
 * const packed = (request: string) => compile({ items, budget: { windowTokens: 8_000 }, frame: { request } })
 * const { decisions, packTokens } = comparePacks(packed('What changed?'), packed('When did it change?'))
 * console.log(decisions, packTokens)
 * ```
 */
export function comparePacks(before: Chosen, after: Chosen): PackComparison {
  const one = before.manifest
  const other = after.manifest
  const both = before.pack !== undefined && after.pack !== undefined
  const of = (side: Chosen) => workspaceOf(both ? side : { manifest: side.manifest })
  return {
    samePack: one.packHash === other.packHash,
    settings: settings.flatMap((name) => settingChange(name, one, other)),
    delta: workspaceDelta(of(before), of(after)),
    decisions: decisionChanges(one, other),
    sections: sectionChanges(one, other),
    packTokens: figure(one.packTokens, other.packTokens),
    originalTokens: figure(one.originalTokens, other.originalTokens),
    utilisation: figure(one.utilisation, other.utilisation),
  }
}

/** Whether nothing differs that a model, a budget or a receipt would notice. */
export function isUnchanged({ samePack, settings: asked, delta, decisions, sections }: PackComparison): boolean {
  return samePack && isEmptyDelta(delta) && asked.length + decisions.length + sections.length === 0
}

function settingChange(name: SettingChange['name'], one: Manifest, other: Manifest): readonly SettingChange[] {
  const shown = (value: unknown): string => (typeof value === 'string' ? value : stableJson(value ?? null))
  const before = shown(one[name])
  const after = shown(other[name])
  return before === after ? [] : [{ name, before, after }]
}

function decisionChanges(one: Manifest, other: Manifest): readonly DecisionChange[] {
  const before = new Map(one.decisions.map((decision) => [decision.itemId, decision]))
  const after = new Map(other.decisions.map((decision) => [decision.itemId, decision]))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((itemId) => {
    const was = before.get(itemId)
    const is = after.get(itemId)
    const section = (is ?? was)?.section ?? ''
    const edited = was !== undefined && is !== undefined && was.contentHash !== is.contentHash
    if (!edited && isSame(was, is)) return []
    return [{ itemId, section, ...(was && { before: standing(was) }), ...(is && { after: standing(is) }), edited }]
  })
}

function isSame(was: ManifestDecision | undefined, is: ManifestDecision | undefined): boolean {
  return (
    was?.rung === is?.rung && was?.reason === is?.reason && was?.tokens === is?.tokens && was?.section === is?.section
  )
}

function standing({ rung, reason, tokens }: ManifestDecision): Standing {
  return { rung, reason, tokens }
}

function sectionChanges(one: Manifest, other: Manifest): readonly SectionChange[] {
  const before = new Map(one.sections.map((section) => [section.section, section]))
  const after = new Map(other.sections.map((section) => [section.section, section]))
  const changes = [...new Set([...before.keys(), ...after.keys()])].map((section) => {
    const was = before.get(section)
    const is = after.get(section)
    return {
      section,
      usedTokens: figure(was?.usedTokens ?? 0, is?.usedTokens ?? 0),
      allocatedTokens: figure(was?.allocatedTokens ?? 0, is?.allocatedTokens ?? 0),
      included: figure(was?.included ?? 0, is?.included ?? 0),
    }
  })
  return changes.filter(({ usedTokens, allocatedTokens, included }) =>
    [usedTokens, allocatedTokens, included].some(({ delta }) => delta !== 0),
  )
}

function figure(before: number, after: number): FigureChange {
  return { before, after, delta: after - before }
}
