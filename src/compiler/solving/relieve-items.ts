import type { Item, OverflowPolicy, ReliefStep, Section } from '../../core/index.ts'
import { reliefStepsOf } from '../../core/index.ts'
import { availableTokens } from '../budget/resolve-budget.ts'
import type { ItemHistory } from '../hygiene/item-history.ts'
import { allForms, withinRemoval } from '../forms/form.ts'
import type { Form } from '../forms/form.ts'
import { stepNumbers } from '../items/step-numbers.ts'
import { tellsPreference } from '../relief/preferences.ts'
import { initialRelevance } from '../hygiene/aged-items.ts'
import { coreTools } from '../items/core-tools.ts'
import { layoutOf, pricesFor } from '../layout/layout-of.ts'
import { overflowOf } from '../overflow/overflow-of.ts'
import type { Solution } from '../overflow/overflow.ts'
import type { Prepared } from '../receipt/receipt-of.ts'
import type { Allocated } from '../stages/allocate.ts'
import { usedTokens } from '../stages/compress-into.ts'
import { cutHistory } from '../stages/cut-history.ts'
import { keptLadders } from '../stages/kept-ladders.ts'
import { leftOut } from '../solvers/choose-rungs.ts'
import type { SectionPlan } from '../stages/plan-sections.ts'
import { usualEpisodes } from '../relief/episode-mask.ts'
import { heldForms, shownForms } from './held-forms.ts'
import { reliefRecord } from './relief-record.ts'
import type { ReliefProblem, Relieving } from './relieving.ts'
import { relievePayload } from './relieve-payload.ts'
import type { ReliefLimits } from './payload-work.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import { tightenedFrame } from '../relief/tightened-frame.ts'

export const relieving: Relieving = { view: reliefView, relieved }

/** What relief knows of the items of a compile. */
function reliefView(history: ItemHistory, { input, list, budget, filtered, ranked, aged }: Prepared): ReliefView {
  const steps = reliefStepsOf(input.policy.relief) ?? []
  const overflow = overflowOf(input)
  const out = new Uint8Array(list.candidates.length)
  for (const index of filtered.dropped.keys()) out[index] = 1
  const items = list.candidates.map(({ item }) => item)
  const mayHold = steps.includes('preferences') ? items : []
  const soft = budget.sections.filter(({ section, tier }) => section !== 'tools' && tier >= 2 && tier <= 4)
  return {
    steps,
    items,
    scores: ranked.scores,
    relevance(index) {
      const item = list.candidates[index]?.item
      return item === undefined ? 0 : initialRelevance(item) * (aged?.[index]?.left ?? 1)
    },
    pinned: filtered.pinned,
    out,
    tiers: new Map(soft.map(({ section, tier }) => [section, tier])),
    held: new Set(
      mayHold.flatMap((item, index) => (tellsPreference(item) && mayGo(item, filtered.pinned[index]) ? [index] : [])),
    ),
    superseded: () =>
      new Set(
        history
          .outdated({
            items,
            steps: stepNumbers(items),
            hygiene: { superseded: true, voided: true },
            hiddenTools: input.hiddenTools ?? [],
          })
          .keys(),
      ),
    core: coreTools(input.items, input.policy.coreTools),
    acceptance: input.frame?.acceptance ?? [],
    keepErrors: input.policy.epochs.keepErrors,
    mayLose: (section) => mayLose(overflow, section),
    failed: history.failed,
  }
}

function mayGo({ pin, frozen }: Item, pinned: number | undefined): boolean {
  return pinned !== 1 && pin !== true && frozen !== true
}

/** Whether a policy of overflow lets a section lose items: who wants all or nothing loses none, and evidence that waits is not lost. */
function mayLose(overflow: OverflowPolicy, section: Section): boolean {
  if (overflow === 'fail-loud') return false
  return section !== 'evidence' || (overflow !== 'defer-retrieval' && overflow !== 'paginate')
}

/** In tokens of a pack, the framing of the caller left out. */
function reliefLimits({ input, budget }: Pick<Prepared, 'input' | 'budget'>): ReliefLimits {
  const available = availableTokens(budget)
  const all = available + budget.overheadTokens
  const { compress, evict } = input.policy.pressure
  const limit = (share: number): number => Math.min(available, Math.floor(share * all) - budget.overheadTokens)
  return { compress: limit(compress), evict: limit(evict), available }
}

/** A payload after the steps that its policy names; with a shortage where they are not enough. */
function relieved(problem: ReliefProblem, view: ReliefView, allocated: Allocated): Solution {
  const { parts, input, list, layout, filtered, ownTokens } = problem
  const plans = new Map(allocated.plans.map((plan) => [plan.section, plan]))
  const asked = new Set(input.budget.sections?.filter(({ max }) => max !== undefined).map(({ section }) => section))
  const tight = tightAssembly(problem, view.steps)
  const kept = ['tools', 'history'].flatMap((section) => plans.get(section)?.members ?? [])
  const held = heldForms(input, list.candidates, kept, pricesFor(input))
  const groups = groupsOf(view)
  const { forms: start, closed } = startOf(problem, allocated, held, groups)
  const ended = relievePayload({
    view,
    limits: reliefLimits(problem),
    forms: start,
    frameTokens: ownTokens,
    tightFrameTokens: () => (tight === undefined ? undefined : problem.ownTokensWith(tight)),
    plans: allocated.plans,
    holdsMaximum: ({ mode, section }) => mode === 'elastic' || (mode === 'selected' && asked.has(section)),
    ladder(index) {
      const candidate = list.candidates[index]
      if (candidate === undefined || filtered.pinned[index] === 1) return []
      const { mostRemoved } = plans.get(candidate.item.section)?.budget ?? {}
      return allForms(withinRemoval(parts.forms.ladder(candidate, layout.setting), mostRemoved))
    },
    episodes: input.policy.hygiene?.episodes ?? usualEpisodes,
    disclosure: { full: 0.7, line: 0.95, ...input.policy.hygiene?.disclosure },
    groupOf: (index) => groups.get(view.items[index]?.group ?? '') ?? [index],
  })
  const granted = new Map(allocated.plans.map((plan) => [plan.section, usedTokens(ended.forms, plan)]))
  const fits = ended.fits && allocated.shortage === undefined
  return {
    forms: ended.forms,
    granted,
    closed,
    without: ended.left,
    // Nothing competes for a price.
    allocated: withoutPrice(allocated),
    relief: reliefRecord(problem, ended.steps, fits),
    shortened: ended.shortened,
    held: {
      shown: shownForms(ended.forms, list.candidates, kept),
      all: Array.from(held.keys()).every((index) => ended.forms[index] === start[index]),
      stood: new Set(Array.from(held.keys()).filter((index) => ended.forms[index] === start[index])),
    },
    ...(ended.tight && tight !== undefined && { assembly: tight }),
    ...(!fits && { shortage: allocated.shortage ?? notEnough }),
  }
}

function withoutPrice(allocated: Allocated): Allocated {
  const { shadowPrice: _, ...rest } = allocated
  return rest
}

const notEnough = { kind: 'exhausted', reason: 'The steps of relief are not enough.', sections: [] } as const

/** Everything whole, or as the last pack has left it; of a conversation whose turns are counted as much as its bounds allow. */
function startOf(problem: ReliefProblem, { plans }: Allocated, held: HeldForms, groups: Groups): Start {
  const { parts, list, layout, filtered } = problem
  const forms: (Form | undefined)[] = list.candidates.map((candidate, index) =>
    filtered.dropped.has(index) ? undefined : parts.forms.full(candidate, layout.setting.writing),
  )
  const isGone = (index: number): boolean => held.get(index)?.rung === 'omitted' || filtered.dropped.has(index)
  for (const [index, { rung, tokens }] of held) {
    const candidate = list.candidates[index]
    if (candidate === undefined || filtered.pinned[index] === 1 || filtered.dropped.has(index)) continue
    if (rung === 'omitted') {
      // What has joined a group that was left out brings it back.
      if ((groups.get(candidate.item.group ?? '') ?? [index]).every(isGone)) forms[index] = undefined
    } else {
      const all = allForms(parts.forms.ladder(candidate, layout.setting))
      forms[index] = all.find((form) => form.rendition.rung === rung && form.tokens === tokens) ?? forms[index]
    }
  }
  const history = plans.find(({ section }) => section === 'history')
  if (history === undefined || !isCounted(history)) return { forms, closed: new Set() }
  cutTurns(problem, history, forms)
  return { forms, closed: closedGroups(problem, forms, groups) }
}

type HeldForms = ReturnType<typeof heldForms>
type Groups = ReturnType<typeof groupsOf>

interface Start {
  readonly forms: readonly (Form | undefined)[]
  /** Items that are left out because another of their group is. */
  readonly closed: ReadonlySet<number>
}

function closedGroups({ filtered }: ReliefProblem, forms: (Form | undefined)[], groups: Groups): ReadonlySet<number> {
  const closed = new Set<number>()
  for (const members of groups.values()) {
    if (members.every((index) => forms[index] !== undefined)) continue
    for (const index of members) {
      if (forms[index] === undefined || filtered.pinned[index] === 1) continue
      forms[index] = undefined
      closed.add(index)
    }
  }
  return closed
}

function cutTurns(
  { parts, list, layout, filtered }: ReliefProblem,
  plan: SectionPlan,
  forms: (Form | undefined)[],
): void {
  const { candidates, grouped } = list
  const { members, budget } = plan
  const pinned = Uint8Array.from(members, (index) => filtered.pinned[index] ?? 0)
  const bounds = { budget, budgetTokens: budget.max, held: undefined, cutShare: 1 }
  const setting = {
    forms: parts.forms,
    laddersOf: keptLadders(parts.forms),
    setting: layout.setting,
    candidates,
    grouped,
    members,
    pinned,
  }
  const { chosen } = cutHistory({ ...setting, ...bounds })
  for (const [place, index] of members.entries()) {
    const candidate = candidates[index]
    const form = chosen[place] ?? leftOut
    if (candidate === undefined || form === 0) continue
    forms[index] = form === leftOut ? undefined : parts.forms.ladder(candidate, layout.setting).form(form)
  }
}

function isCounted({ budget: { recentTurns, olderTokens } }: SectionPlan): boolean {
  return recentTurns !== undefined || olderTokens !== undefined
}

function groupsOf({ items }: ReliefView): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, { group }] of items.entries()) {
    if (group === undefined) continue
    const members = groups.get(group)
    if (members === undefined) groups.set(group, [index])
    else members.push(index)
  }
  return groups
}

/** How the pack is written where the notes of its frame are short. */
function tightAssembly(
  { parts, input, links }: ReliefProblem,
  steps: readonly ReliefStep[],
): Prepared['layout']['assembly'] | undefined {
  if (!steps.includes('step-notes')) return undefined
  const frame = tightenedFrame(input.frame)
  return frame === undefined ? undefined : layoutOf(parts, { ...input, frame }, links).assembly
}
