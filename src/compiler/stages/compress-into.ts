import type { Section } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { FormReader, LadderSetting } from '../forms/form-reader.ts'
import type { Candidate } from '../items/candidate.ts'
import { coreTools } from '../items/core-tools.ts'
import { leftOut } from '../solvers/choose-rungs.ts'
import type { CompressInput, Compressed } from './compress-input.ts'
import type { CompressSection } from './compress-section.ts'
import { cutHistory } from './cut-history.ts'
import type { SectionPlan } from './plan-sections.ts'

export interface CompressorParts {
  readonly forms: FormReader
  readonly compressSection: CompressSection
}

/** What is filled in while forms are chosen. */
export interface Work {
  readonly parts: CompressorParts
  readonly input: CompressInput
  readonly forms: (Form | undefined)[]
  readonly granted: Map<Section, number>
  cut: Compressed['cut']
}

/** Chooses the forms of one section; gives the tokens it used. */
export function compressInto(work: Work, plan: SectionPlan, budgetTokens: number): number {
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

/** Tokens that the items of a section take as they are shown. */
export function usedTokens(forms: readonly (Form | undefined)[], { members }: SectionPlan): number {
  let used = 0
  for (const index of members) {
    const form = forms[index]
    if (form !== undefined) used += form.tokens
  }
  return used
}
