import type { Rendition, Section } from '../../core/index.ts'
import type { ConversationPlan } from '../epochs/index.ts'
import type { Form } from '../forms/form.ts'
import type { Shortage } from './allocate.ts'
import type { CompressInput, Compressed, Constancy } from './compress-input.ts'
import { compressInto, usedTokens } from './compress-into.ts'
import type { CompressorParts, Work } from './compress-into.ts'
import { blankList } from '../items/same-elements.ts'
import { conversationRoom } from './conversation-room.ts'
import type { SectionPlan } from './plan-sections.ts'

export type Compress = (input: CompressInput) => Compressed

/** Chooses a form for each item: what is free by the rung solver, a conversation as its layout keeps it. */
export function compressor(parts: CompressorParts): Compress {
  return (input) => {
    if (input.constancy.kind === 'epochs') return compressAround(input.constancy, { parts, input })
    const { shortage, granted } = input
    const forms = blankList<Form>(input.candidates.length)
    if (shortage !== undefined) return { forms, granted, closed: new Set(), shortage }
    return compressAnew({ parts, input, forms, granted: new Map(granted), sections: new Map(), cut: undefined })
  }
}

function compressAnew(work: Work): Compressed {
  const { input, forms, granted } = work
  let unspent = input.itemTokens
  for (const plan of input.plans) unspent -= compressInto(work, plan, granted.get(plan.section) ?? 0)
  spendRest(work, unspent)
  const closed = closeGroups(input, forms)
  return {
    forms,
    granted,
    closed,
    ...(closed.size === 0 && { sections: work.sections }),
    ...(work.cut === undefined ? {} : { cut: work.cut }),
  }
}

/** Free items within what the rest of their sections leaves; then the conversation around them. */
function compressAround(
  { conversation, free, capped, mayFillUp }: Extract<Constancy, { readonly kind: 'epochs' }>,
  { parts, input }: Pick<Work, 'parts' | 'input'>,
): Compressed {
  const { candidates, plans, granted, dropped, without, standingTokens } = input
  const forms = blankList<Form>(candidates.length)
  const work: Work = { parts, input, forms, granted: new Map(granted), sections: new Map(), cut: undefined }
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
  candidates.forEach((candidate, index) => {
    const rendition = plan.renditions[index]
    const isShown = rendition !== undefined && rendition.rung !== 'omitted'
    forms[index] = isShown ? parts.forms.plain(candidate, rendition) : undefined
  })
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
