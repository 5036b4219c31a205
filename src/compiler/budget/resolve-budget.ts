import type { Budget, BudgetRequest, CompileInput, Policy, Section, SectionBudget } from '../../core/index.ts'
import { compareCodeUnits, invalidInput, sectionInfo } from '../../core/index.ts'
import { usualSection } from './section-defaults.ts'
import type { SignalWeights } from './signal-weights.ts'

/** Weight of a section that neither policy nor request mentions. */
const strangerWeight = 0.3

export interface BudgetOptions {
  readonly request: BudgetRequest
  readonly policy: Policy
  /** Every section that has candidates. */
  readonly present: readonly Section[]
  readonly signals: SignalWeights
}

interface Resolved {
  readonly options: BudgetOptions
  readonly sections: readonly SectionBudget[]
}

/** Conversations under way have few kinds of budget between them. */
const mostKnown = 8

export type ResolveBudget = (options: BudgetOptions) => Budget

/**
 * The budget of one compile in normal form: the policy's shares of the window, then what the request says. Sections that
 * depend on nothing else than those of a compile shortly before are the same values.
 */
export function budgetResolver(): ResolveBudget {
  const known: Resolved[] = []
  const resolved = (options: BudgetOptions): readonly SectionBudget[] => {
    const before = known.find((one) => isAlike(one.options, options))
    if (before) return before.sections
    const sections = sectionsOf(options)
    if (known.unshift({ options, sections }) > mostKnown) known.pop()
    return sections
  }
  return (options) => {
    const { request, policy } = options
    const sections = resolved(options)
    return {
      windowTokens: request.windowTokens,
      reserveTokens: reserveOf(request, policy),
      overheadTokens: request.overheadTokens ?? 0,
      sections,
      costSensitivity: policy.costSensitivity,
    }
  }
}

function isAlike(before: BudgetOptions, { request, policy, present, signals }: BudgetOptions): boolean {
  return (
    before.policy === policy &&
    Object.isFrozen(policy) &&
    before.request.windowTokens === request.windowTokens &&
    before.request.sections === undefined &&
    request.sections === undefined &&
    before.signals === signals &&
    before.present.length === present.length &&
    present.every((section, index) => section === before.present[index])
  )
}

function sectionsOf({ request, policy, present, signals }: BudgetOptions): readonly SectionBudget[] {
  const named = [
    ...policy.shares.map(({ section }) => section),
    ...(request.sections ?? []).map(({ section }) => section),
  ]
  const all = [...new Set([...named, ...present])].toSorted(logically)
  const shares = bySection(policy.shares)
  const asked = bySection(request.sections ?? [])
  return all.map((section) =>
    sectionBudget(section, { request, signals, share: shares.get(section), asked: asked.get(section) }),
  )
}

/** At least what the caller asked for, at least the policy's share of the window. */
export function reserveOf({ windowTokens, maxOutputTokens }: BudgetRequest, { reserveShare }: Policy): number {
  return Math.max(maxOutputTokens ?? 0, Math.ceil(reserveShare * windowTokens))
}

/** Tokens that a request may take: the window less reserve and framing. */
export function availableTokens({ windowTokens, reserveTokens, overheadTokens }: Budget): number {
  return windowTokens - reserveTokens - overheadTokens
}

/** The first entry of each section. */
function bySection<Entry extends { readonly section: Section }>(
  entries: readonly Entry[],
): ReadonlyMap<Section, Entry> {
  return new Map(entries.toReversed().map((entry) => [entry.section, entry]))
}

interface SectionOptions {
  readonly request: BudgetRequest
  readonly signals: SignalWeights
  readonly share: Policy['shares'][number] | undefined
  readonly asked: NonNullable<BudgetRequest['sections']>[number] | undefined
}

function sectionBudget(section: Section, { request, signals, share, asked }: SectionOptions): SectionBudget {
  const { windowTokens } = request
  const weights: Readonly<Record<string, number>> = signals.weights
  const signal = (Object.hasOwn(weights, section) ? weights[section] : undefined) ?? 0.5
  const made = {
    ...usualSection(section, windowTokens),
    min: Math.floor((share?.min ?? 0) * windowTokens),
    max: Math.floor((share?.max ?? 1) * windowTokens),
    weight: (share?.weight ?? strangerWeight) * signal,
    ...(asked === undefined ? {} : defined(asked)),
  }
  if (made.min > made.max) {
    if (asked?.min === undefined) return { ...made, min: made.max }
    if (asked.max === undefined) return { ...made, max: made.min }
    throw invalidInput(`budget.sections.${section}.min`, 'exceeds max', 'Give a minimum that is at most the maximum.')
  }
  return made
}

function defined(asked: NonNullable<CompileInput['budget']['sections']>[number]): Partial<SectionBudget> {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
}

function logically(a: Section, b: Section): number {
  return sectionInfo(a).order - sectionInfo(b).order || compareCodeUnits(a, b)
}
