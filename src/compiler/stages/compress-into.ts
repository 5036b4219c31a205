import type { Section } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { FormReader } from '../items/form-reader.ts'
import type { Candidate } from '../items/candidate.ts'
import { coreTools } from '../items/core-tools.ts'
import { leftOut } from '../solvers/choose-rungs.ts'
import type { CompressInput, Compressed } from './compress-input.ts'
import type { CompressSection, SectionChoice } from './compress-section.ts'
import { cutHistory } from './cut-history.ts'
import type { LaddersOf } from './kept-ladders.ts'
import type { SectionPlan } from './plan-sections.ts'
import { chosenForms } from './section-forms.ts'
import type { ChosenForms, SectionForms, WholeForms } from './section-forms.ts'

export interface CompressorParts {
  readonly forms: FormReader
  readonly compressSection: CompressSection
  readonly wholeForms: WholeForms
  readonly historyLadders: LaddersOf
  readonly historyForms: ChosenForms
}

/** What is filled in while forms are chosen. */
export interface Work {
  readonly parts: CompressorParts
  readonly input: CompressInput
  readonly forms: (Form | undefined)[]
  readonly granted: Map<Section, number>
  readonly sections: Map<Section, SectionForms>
  cut: Compressed['cut']
}

/** Chooses the forms of one section; gives the tokens it used. */
export function compressInto(work: Work, plan: SectionPlan, budgetTokens: number): number {
  const { input, forms } = work
  const { constancy } = input
  const mayBeCut =
    plan.section === 'history' &&
    constancy.kind === 'cut' &&
    (constancy.held !== undefined || plan.budget.recentTurns !== undefined)
  const choice = plan.demand <= budgetTokens && !mayBeCut ? undefined : chooseForms(work, plan, budgetTokens)
  const section = choice === undefined ? wholeOf(work, plan) : (choice.shown ??= chosenOf(work, plan, choice))
  for (let at = 0; at < plan.members.length; at += 1) forms[plan.members[at] ?? 0] = section.forms[at]
  work.sections.set(plan.section, section)
  return section.tokens
}

function wholeOf({ parts, input: { candidates, setting } }: Work, { section, members }: SectionPlan): SectionForms {
  return parts.wholeForms(section, { candidates, members, setting })
}

function chosenOf({ parts, input }: Work, { section, members }: SectionPlan, { chosen }: SectionChoice): SectionForms {
  const { candidates, setting } = input
  const asked = { candidates, members, setting }
  return section === 'history' ? parts.historyForms(asked, chosen) : chosenForms(parts.forms, asked, chosen)
}

function chooseForms(work: Work, { section, members, budget }: SectionPlan, budgetTokens: number): SectionChoice {
  const { parts, input } = work
  const { candidates, scores, setting, grouped, constancy } = input
  if (section === 'history' && constancy.kind === 'cut') {
    const { held, cutShare } = constancy
    const pinned = new Uint8Array(members.length)
    if (input.pinned.includes(1, members[0]))
      for (let at = 0; at < members.length; at += 1) pinned[at] = input.pinned[members[at] ?? 0] ?? 0
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
    const { chosen, cut } = cutHistory({ forms: parts.forms, laddersOf: parts.historyLadders, ...problem })
    work.cut = cut
    return { chosen, shown: undefined }
  }
  const { order } = input
  const asked = order === undefined ? members : members.toSorted((a, b) => (order[a] ?? a) - (order[b] ?? b))
  const choice = parts.compressSection({
    section,
    candidates,
    members: asked,
    scores,
    pinned: input.pinned,
    budgetTokens,
    mostRemoved: budget.mostRemoved,
    setting,
    ...(section === 'tools' && { core: coreTools(itemsOf(candidates), setting.coreTools) }),
  })
  return asked === members ? choice : { chosen: inPlaceOf(members, asked, choice.chosen), shown: undefined }
}

function* itemsOf(candidates: readonly Candidate[]): Generator<Candidate['item']> {
  for (const { item } of candidates) yield item
}

/** What was chosen for the members in one order, in another. */
function inPlaceOf(members: readonly number[], asked: readonly number[], chosen: Int32Array): Int32Array {
  const byIndex = new Map(asked.map((index, at) => [index, chosen[at] ?? leftOut]))
  return Int32Array.from(members, (index) => byIndex.get(index) ?? leftOut)
}

/** Tokens that the items of a section take as they are shown. */
export function usedTokens(forms: readonly (Form | undefined)[], { members }: Pick<SectionPlan, 'members'>): number {
  let used = 0
  for (const index of members) {
    const form = forms[index]
    if (form !== undefined) used += form.tokens
  }
  return used
}
