import type { CompileInput, ReasonCode, Section } from '../../core/index.ts'
import { reliefStepsOf } from '../../core/index.ts'
import { availableTokens } from '../budget/resolve-budget.ts'
import type { CompilerParts } from './compiler-parts.ts'
import type { FormLadder } from '../forms/form.ts'
import type { OverflowProblem, PagedConversation, Solution } from '../overflow/overflow.ts'
import { overflowOf } from '../overflow/overflow-of.ts'
import { pageConversation } from '../overflow/page-conversation.ts'
import type { Prepared } from '../receipt/receipt-of.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import { reliefRecord } from './relief-record.ts'
import type { Judged } from '../security/judge-items.ts'
import { allocateSections } from '../stages/allocate.ts'
import type { Allocated } from '../stages/allocate.ts'
import type { AssembleInput } from '../stages/assemble.ts'
import type { Ranked } from '../stages/rank.ts'
import { summarises } from './payload-summary.ts'
import type { CutInput } from '../stages/cut-history.ts'
import type { StageWatch } from './watch-stages.ts'

/** A compile before a token is granted. */
export interface Ready extends Prepared {
  readonly parts: CompilerParts
  readonly judged: Judged
  readonly watch: StageWatch
  traceId(): string
  readonly accountTokens: number
}

/** What is to be allotted and compressed, as a policy of overflow sees it. */
export function overflowProblem(prepared: Ready): OverflowProblem {
  const { input, list, layout, budget, filtered, ranked } = prepared
  const { conversation } = layout
  const free = conversation?.free
  const mayGo = (index: number): boolean => filtered.pinned[index] !== 1 && free?.[index] !== 0
  const mayWait = (index: number): boolean => !filtered.dropped.has(index) && free?.[index] !== 0
  return {
    overflow: overflowOf(input),
    waitingEvidence: () => (ranked.members.get('evidence') ?? []).filter(mayWait),
    availableTokens: availableTokens(budget),
    idOf: (index) => list.candidates[index]?.item.id ?? '',
    mayGo,
    losslessTokens: (without) => losslessTokens(prepared, without),
    solve: (without) => solve(prepared, without),
    relieve: () => relieve(prepared),
    ...(conversation === undefined &&
      pointedSections(input, ranked).length > 0 && { withoutNotes: () => unnoted(prepared) }),
    ...(conversation && { pagesOf: (whole) => pagesOf(prepared, conversation.omitted, whole) }),
    lost: (solution) => lostTools(prepared, solution),
  }
}

/** The same compile with a frame that says of nothing where it is. */
function unnoted(prepared: Ready): OverflowProblem {
  const frameTokens = prepared.layout.assembly.frameTokens(countsOf(prepared.ranked.members))
  const { withoutNotes: _, ...problem } = overflowProblem({ ...prepared, frameTokens })
  return problem
}

function pagesOf(prepared: Ready, omitted: Uint8Array, whole: Solution): PagedConversation {
  const { parts, list, layout, budget, filtered, ranked } = prepared
  return pageConversation({
    candidates: list.candidates,
    fullTokens: ranked.fullTokens,
    pinned: filtered.pinned,
    dropped: filtered.dropped,
    omitted,
    whole,
    roomTokens: availableTokens(budget),
    forms: parts.forms,
    setting: layout.setting,
    itemTokens: parts.itemTokens,
  })
}

const nobody: ReadonlyMap<number, ReasonCode> = new Map()

/** The steps that the policy names, in either layout. */
function relieve(prepared: Ready): Solution | undefined {
  const { relief, history } = prepared.parts
  if (reliefStepsOf(prepared.input.policy.relief) === undefined) return undefined
  const view = relief.view(history, prepared)
  if (prepared.layout.conversation !== undefined) {
    const solution = solve(prepared, nobody, view)
    const { shortage, conversation } = solution
    return { ...solution, relief: reliefRecord(prepared, conversation?.steps ?? [], shortage === undefined) }
  }
  const allocated = granted(prepared, nobody)
  const counts = countsOf(prepared.ranked.members)
  const ownTokensWith = (assembly: Ready['layout']['assembly']): number =>
    assembly.frameTokens(counts, pointedSections(prepared.input, prepared.ranked)) + prepared.accountTokens
  const problem = { ...prepared, ownTokens: prepared.frameTokens + prepared.accountTokens, ownTokensWith }
  return prepared.watch.compress(() => relief.relieved(problem, view, allocated), allocated)
}

/** Whose policy says what gives way loses no tool that it has not named. */
function lostTools({ filtered, ranked }: Ready, { forms }: Solution): readonly Section[] {
  const tools = ranked.members.get('tools') ?? []
  return tools.some((index) => forms[index] === undefined && !filtered.dropped.has(index)) ? ['tools'] : []
}

/** Allocates and compresses: tokens for the sections, then a form for each of their items. */
function solve(prepared: Ready, without: ReadonlyMap<number, ReasonCode>, relief?: ReliefView): Solution {
  const { parts, list, layout, filtered, ranked, watch } = prepared
  const { pinned, dropped, spanning } = filtered
  const allocated = granted(prepared, without)
  const choosing = {
    ...allocated,
    candidates: list.candidates,
    scores: ranked.scores,
    order: ranked.order,
    pinned,
    grouped: list.grouped,
    spanning,
    dropped,
    without,
    standingTokens: layout.conversation?.standingTokens ?? ranked.fullTokens,
    itemTokens: allocated.availableTokens - prepared.frameTokens - prepared.accountTokens,
    setting: layout.setting,
    constancy: layout.constancy(ranked.members.get('history') ?? []),
    relief,
    summaries: summariesOf(prepared),
  }
  const compressed = watch.compress(() => parts.compress(choosing), allocated)
  return { ...compressed, without, allocated }
}

function summariesOf({ input, accountTokens }: Ready): CutInput['summaries'] {
  const { summaries: policy } = input.policy
  return policy !== undefined && summarises(input) && accountTokens > 0 ? { policy, tokens: accountTokens } : undefined
}

function granted(prepared: Ready, without: ReadonlyMap<number, ReasonCode>): Allocated {
  const { input, layout, budget, filtered, ranked, watch } = prepared
  const { conversation } = layout
  const { compress } = input.policy.pressure
  const room = conversation === undefined ? {} : { roomTokens: Math.floor(compress * availableTokens(budget)) }
  const granting = {
    budget,
    members: ranked.members,
    tokens: conversation?.standingTokens ?? ranked.fullTokens,
    pinned: filtered.pinned,
    without: [filtered.dropped, without],
    frameTokens: prepared.frameTokens + prepared.accountTokens,
    free: conversation?.free,
    ...room,
    asked: new Set(input.budget.sections?.filter(({ max }) => max !== undefined).map(({ section }) => section)),
    leastToolTokens: (indexes: readonly number[]) => leastTokens(prepared, indexes, ({ points }) => points.length - 1),
  }
  return watch.allocate(() => allocateSections(granting))
}

/** What items take in one of their forms. */
function leastTokens(
  { parts, list, layout, ranked, filtered }: Ready,
  indexes: readonly number[],
  choose: (ladder: FormLadder) => number,
): number {
  return indexes.reduce((sum, index) => {
    const candidate = list.candidates[index]
    if (candidate === undefined || filtered.pinned[index] === 1) return sum + (ranked.fullTokens[index] ?? 0)
    const ladder = parts.forms.ladder(candidate, layout.setting)
    return sum + (ladder.points[choose(ladder)]?.tokens ?? ranked.fullTokens[index] ?? 0)
  }, 0)
}

/** What the candidates need in the cheapest forms that lose nothing, frame included. */
function losslessTokens(prepared: Ready, without: ReadonlyMap<number, ReasonCode>): number {
  const { list, layout, budget, filtered, ranked, frameTokens } = prepared
  const isLeft = (index: number): boolean => !filtered.dropped.has(index) && !without.has(index)
  const left = Array.from(list.candidates.keys()).filter(isLeft)
  const full = left.reduce((sum, index) => sum + (ranked.fullTokens[index] ?? 0), frameTokens)
  if (full <= availableTokens(budget)) return full
  if (layout.conversation !== undefined) return layout.conversation.open.losslessTokens(isLeft)
  return frameTokens + leastTokens(prepared, left, ({ lossless }) => lossless)
}

/** As many could be missing. */
export function countsOf(members: Ranked['members']): AssembleInput['missing'] {
  const count = (section: Section): number => members.get(section)?.length ?? 0
  return { evidence: count('evidence'), memory: count('memory'), history: count('history') }
}

/** Sections of a payload that tell where what they leave out is: those that may leave anything out. */
export function pointedSections({ layout, rehydration }: CompileInput, { members }: Ranked): readonly Section[] {
  if (layout !== 'payload' || rehydration !== true) return []
  return Array.from(members.keys()).filter((section) => !standsWhole.has(section))
}

const standsWhole: ReadonlySet<Section> = new Set<Section>(['policy', 'role', 'task', 'query', 'reserve'])
