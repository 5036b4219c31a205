import type { ReasonCode, ReliefRecord, Rendition, Section } from '../../core/index.ts'
import type { ConversationPlan, OpenConversation } from '../epochs/index.ts'
import type { Form } from '../forms/form.ts'
import type { FormReader, LadderSetting } from '../forms/form-reader.ts'
import type { Candidate } from '../items/candidate.ts'
import { coreTools } from '../items/core-tools.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import { leftOut } from '../solvers/choose-rungs.ts'
import type { Allocated, Shortage } from './allocate.ts'
import type { HistoryCut } from './compress-history.ts'
import type { CompressSection } from './compress-section.ts'
import { conversationRoom } from './conversation-room.ts'
import { cutHistory } from './cut-history.ts'
import type { CutInput } from './cut-history.ts'
import type { SectionPlan } from './plan-sections.ts'

/** What a layout does with a conversation's bytes, which stand in a provider's cache. */
export type Constancy =
  /** It is cut where the last request cut it, as long as that fits. */
  | {
      readonly kind: 'cut'
      /** Where the last request cut it, as indexes of candidates. */
      readonly held: HistoryCut | undefined
      /** Share of the budget that a new cut leaves in use. */
      readonly cutShare: number
    }
  /** Every item stays as it was shown until an epoch begins. */
  | {
      readonly kind: 'epochs'
      readonly conversation: OpenConversation
      /** 1 for items that no request has shown yet and that the conversation can do without. */
      readonly free: Uint8Array
      /** Sections whose maximum the conversation must keep. */
      readonly capped: ReadonlySet<Section>
      readonly mayFillUp: boolean
    }

export interface CompressInput extends Allocated {
  readonly candidates: readonly Candidate[]
  readonly scores: Float64Array
  /** Place of each candidate among equals; absent where it is that of its arrival. */
  readonly order?: Uint32Array | undefined
  readonly pinned: Uint8Array
  readonly grouped: boolean
  readonly spanning: readonly (readonly number[])[]
  /** Why candidates are not shown. */
  readonly dropped: ReadonlyMap<number, ReasonCode>
  readonly without: ReadonlyMap<number, ReasonCode>
  /** For the items; what no item owns is taken off. */
  readonly itemTokens: number
  /** What each item takes as it stands. */
  readonly standingTokens: ArrayLike<number>
  readonly setting: LadderSetting
  readonly constancy: Constancy
  /** Of a payload whose policy has what is cut summarised. */
  readonly summaries?: CutInput['summaries']
  /** Of a conversation whose policy names the steps of relief. */
  readonly relief?: ReliefView | undefined
}

/** A form for each candidate, within what its section was granted. */
export interface Compressed {
  /** Undefined where the item is left out. */
  readonly forms: readonly (Form | undefined)[]
  /** What each section may take, after what was not used went to others. */
  readonly granted: ReadonlyMap<Section, number>
  /** Items that are left out because another of their group is. */
  readonly closed: ReadonlySet<number>
  /** Where a conversation was cut; absent where all of it stands as it came. */
  readonly cut?: HistoryCut & { readonly held: boolean }
  readonly conversation?: ConversationPlan
  /** The steps of relief that were taken. */
  readonly relief?: ReliefRecord
  readonly shortage?: Shortage
}

export type Compress = (input: CompressInput) => Compressed

export interface CompressorParts {
  readonly forms: FormReader
  readonly compressSection: CompressSection
}

/** Chooses a form for each item: what is free by the rung solver, a conversation as its layout keeps it. */
export function compressor(parts: CompressorParts): Compress {
  return (input) => {
    if (input.constancy.kind === 'epochs') return compressAround(input.constancy, { parts, input })
    const { shortage, granted } = input
    const forms = noForms(input.candidates.length)
    if (shortage !== undefined) return { forms, granted, closed: new Set(), shortage }
    return compressAnew({ parts, input, forms, granted: new Map(granted), cut: undefined })
  }
}

function noForms(length: number): (Form | undefined)[] {
  const forms: (Form | undefined)[] = []
  while (forms.length < length) forms.push(undefined)
  return forms
}

/** What is filled in while forms are chosen. */
interface Work {
  readonly parts: CompressorParts
  readonly input: CompressInput
  readonly forms: (Form | undefined)[]
  readonly granted: Map<Section, number>
  cut: Compressed['cut']
}

function compressAnew(work: Work): Compressed {
  const { input, forms, granted } = work
  let unspent = input.itemTokens
  for (const plan of input.plans) unspent -= compressInto(work, plan, granted.get(plan.section) ?? 0)
  spendRest(work, unspent)
  const closed = closeGroups(input, forms)
  return { forms, granted, closed, ...(work.cut === undefined ? {} : { cut: work.cut }) }
}

/** Free items within what the rest of their sections leaves; then the conversation around them. */
function compressAround(
  { conversation, free, capped, mayFillUp }: Extract<Constancy, { readonly kind: 'epochs' }>,
  { parts, input }: Pick<Work, 'parts' | 'input'>,
): Compressed {
  const { candidates, plans, granted, dropped, without, standingTokens } = input
  const forms = noForms(candidates.length)
  const work: Work = { parts, input, forms, granted: new Map(granted), cut: undefined }
  // Steps of relief choose among everything, in their order.
  const { relief } = input
  const isChosen = free.includes(1) && input.shortage === undefined && relief === undefined
  for (const plan of isChosen ? plans : []) {
    const members = plan.members.filter((index) => free[index] === 1)
    const standing = plan.members.reduce((sum, at) => (free[at] === 1 ? sum : sum + (standingTokens[at] ?? 0)), 0)
    if (members.length > 0) compressInto(work, { ...plan, members }, (granted.get(plan.section) ?? 0) - standing)
  }
  const closed = closeGroups(input, forms)
  const given = new Map<number, Rendition>()
  for (const index of candidates.keys()) {
    const isOut = dropped.has(index) || without.has(index)
    const stands = relief === undefined ? undefined : candidates[index]?.whole
    if (!isOut && stands !== undefined && free[index] === 1) given.set(index, stands)
    if (!isOut && (free[index] !== 1 || relief !== undefined)) continue
    const form = forms[index]
    given.set(index, form === undefined ? omitted : { ...form.rendition, tokens: form.tokens })
  }
  const room = conversationRoom({ ...input, free, capped })
  const plan = conversation.plan({ ...room, given, mayFillUp, ...(relief && { relief }) })
  for (const [index, candidate] of candidates.entries()) {
    const rendition = plan.renditions[index]
    const isShown = rendition !== undefined && rendition.rung !== 'omitted'
    forms[index] = isShown ? parts.forms.plain(candidate, rendition) : undefined
  }
  const shortage = input.shortage ?? overflowing(plan, plans)
  return {
    forms,
    granted: regranted(work),
    closed,
    conversation: plan,
    ...(shortage === undefined ? {} : { shortage }),
  }
}

/** Lines that are shown again, because what referred to them changed, take what other sections have not used. */
function regranted({ input, forms, granted }: Work): ReadonlyMap<Section, number> {
  const used = new Map(input.plans.map((plan) => [plan.section, usedTokens(forms, plan)]))
  const isWithin = input.plans.every(({ section }) => (used.get(section) ?? 0) <= (granted.get(section) ?? 0))
  return isWithin ? granted : used
}

const omitted: Rendition = { rung: 'omitted', text: '', tokens: 0, fidelity: 0 }

function overflowing({ over, fits }: ConversationPlan, plans: readonly SectionPlan[]): Shortage | undefined {
  if (fits) return undefined
  const whole = over.includes('window')
  const sections = whole ? plans.filter(({ members }) => members.length > 0).map(({ section }) => section) : over
  return { kind: 'exhausted', reason: `Even in shortest forms too long: ${over.join(', ')}.`, sections }
}

/** Chooses the forms of one section; gives the tokens it used. */
function compressInto(work: Work, plan: SectionPlan, budgetTokens: number): number {
  const { parts, input, forms } = work
  const { candidates, setting, constancy } = input
  const mayBeCut =
    plan.section === 'history' &&
    constancy.kind === 'cut' &&
    (constancy.held !== undefined || plan.budget.recentTurns !== undefined)
  const chosen = plan.demand <= budgetTokens && !mayBeCut ? undefined : chooseForms(work, plan, budgetTokens)
  let used = 0
  for (let at = 0; at < plan.members.length; at += 1) {
    const index = plan.members[at] ?? 0
    const form = chosen === undefined ? 0 : (chosen[at] ?? leftOut)
    const candidate = form === leftOut ? undefined : candidates[index]
    const shown = candidate && formOf(parts.forms, candidate, setting, form)
    forms[index] = shown
    if (shown !== undefined) used += shown.tokens
  }
  return used
}

/** A definition of a tool loses nothing by being written short. */
function formOf(forms: FormReader, candidate: Candidate, setting: LadderSetting, form: number): Form | undefined {
  if (form === 0 && candidate.item.kind !== 'tool-schema') return forms.full(candidate, setting.writing)
  const { shown, lossless } = forms.ladder(candidate, setting)
  return shown[form === 0 ? lossless : form]
}

/** Fills `into` with the values at the indexes. */
function picked<Values extends Float64Array | Uint8Array>(
  from: Values,
  indexes: readonly number[],
  into: Values,
): Values {
  for (let at = 0; at < indexes.length; at += 1) into[at] = from[indexes[at] ?? 0] ?? 0
  return into
}

function chooseForms(work: Work, { section, members, budget }: SectionPlan, budgetTokens: number): Int32Array {
  const { parts, input } = work
  const { candidates, scores, setting, grouped, constancy } = input
  const pinned = picked(input.pinned, members, new Uint8Array(members.length))
  if (section === 'history' && constancy.kind === 'cut') {
    const { held, cutShare } = constancy
    const problem = {
      candidates,
      setting,
      grouped,
      members,
      pinned,
      budget,
      budgetTokens,
      held,
      cutShare,
      summaries: input.summaries,
    }
    const { chosen, cut } = cutHistory({ forms: parts.forms, ...problem })
    work.cut = cut
    return chosen
  }
  const { order } = input
  const asked = order === undefined ? members : members.toSorted((a, b) => (order[a] ?? a) - (order[b] ?? b))
  const chosen = parts.compressSection({
    section,
    members: asked.flatMap((index) => candidates[index] ?? []),
    scores: picked(scores, asked, new Float64Array(asked.length)),
    pinned: asked === members ? pinned : picked(input.pinned, asked, new Uint8Array(asked.length)),
    budgetTokens,
    mostRemoved: budget.mostRemoved,
    setting,
    ...(section === 'tools' && { core: coreTools(itemsOf(candidates), setting.coreTools) }),
  })
  return asked === members ? chosen : inPlaceOf(members, asked, chosen)
}

function* itemsOf(candidates: readonly Candidate[]): Generator<Candidate['item']> {
  for (const { item } of candidates) yield item
}

/** What was chosen for the members in one order, in another. */
function inPlaceOf(members: readonly number[], asked: readonly number[], chosen: Int32Array): Int32Array {
  const byIndex = new Map(asked.map((index, at) => [index, chosen[at] ?? leftOut]))
  return Int32Array.from(members, (index) => byIndex.get(index) ?? leftOut)
}

/** Tokens below this share of the budget are not worth another round. */
const worthSpending = 0.005

/**
 * What items were too large to use goes to the sections where more tokens are still worth their price, the heaviest
 * first; what the price left over stays unspent.
 */
function spendRest(work: Work, left: number): void {
  const { input, forms, granted } = work
  const { plans, wanted, itemTokens } = input
  let unspent = left
  let spent: SectionPlan | undefined
  const wanting = plans
    .filter(({ section }) => (wanted.get(section) ?? 0) > (granted.get(section) ?? 0))
    .toSorted((a, b) => b.budget.weight - a.budget.weight)
  for (const plan of wanting) {
    if (unspent < worthSpending * itemTokens) return
    const used = usedTokens(forms, plan)
    const more = Math.min(wanted.get(plan.section) ?? 0, used + unspent)
    if (more <= (granted.get(plan.section) ?? 0)) continue
    // All that others do not use has been counted as unspent; afterwards only the last one has changed.
    for (const other of spent === undefined ? plans : [spent]) granted.set(other.section, usedTokens(forms, other))
    spent = plan
    unspent -= compressInto(work, plan, more) - used
    granted.set(plan.section, more)
  }
}

/** Tokens that the items of a section take as they are shown. */
export function usedTokens(forms: readonly (Form | undefined)[], { members }: SectionPlan): number {
  let used = 0
  for (const index of members) {
    const form = forms[index]
    if (form !== undefined) used += form.tokens
  }
  return used
}

/** A group across sections of which a member found no room is left out as a whole. */
function closeGroups({ spanning, constancy }: CompressInput, forms: (Form | undefined)[]): ReadonlySet<number> {
  const closed = new Set<number>()
  const mayGo = (index: number): boolean => constancy.kind === 'cut' || constancy.free[index] === 1
  for (const members of spanning) {
    if (!members.every(mayGo) || members.every((index) => forms[index] !== undefined)) continue
    for (const index of members) {
      if (forms[index] === undefined) continue
      forms[index] = undefined
      closed.add(index)
    }
  }
  return closed
}
