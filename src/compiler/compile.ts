import type {
  CompileInput,
  CompileResult,
  CompileWatch,
  Omission,
  PackScope,
  Section,
  SecurityRecord,
} from '../core/index.ts'
import { availableTokens } from './budget/resolve-budget.ts'
import { signalWeights } from './budget/signal-weights.ts'
import type { CompilerParts } from './solving/compiler-parts.ts'
import type { Form } from './forms/form.ts'
import { handleFrom } from './items/item-keys.ts'
import type { LinkedItems } from './items/linked-items.ts'
import type { CandidateList } from './items/read-candidates.ts'
import { assertSecure } from './security/assert-secure.ts'
import { securityRecord, surfaceIn } from './security/security-record.ts'
import { agedItems, growsOld } from './hygiene/aged-items.ts'
import type { Aged } from './hygiene/aged-items.ts'
import { layoutOf, pricesFor } from './layout/layout-of.ts'
import { accountRoom } from './stages/account.ts'
import type { CutItems } from './stages/account.ts'
import { payloadSummary, summarises, summaryRoom } from './solving/payload-summary.ts'
import { durableMemory } from './layout/durable-memory.ts'
import type { DurableMemory } from './layout/durable-memory.ts'
import { overcome } from './overflow/overflow.ts'
import type { Solution } from './overflow/overflow.ts'
import { overflowOf } from './overflow/overflow-of.ts'
import { linkRecords } from './receipt/link-records.ts'
import { receiptOf } from './receipt/receipt-of.ts'
import type { Prepared } from './receipt/receipt-of.ts'
import { danglingIn } from './shrink/dangling.ts'
import type { ReferredItems } from './shrink/refer-items.ts'
import type { AssembleInput, Assembled, Page } from './stages/assemble.ts'
import { filterItems } from './stages/filter.ts'
import type { Filtered } from './stages/filter.ts'
import type { Ranked } from './stages/rank.ts'
import { usedTokens } from './stages/compress-into.ts'
import { keepTop } from './stages/top-items.ts'
import { validatePack } from './stages/validate.ts'
import { countsOf, overflowProblem, pointedSections } from './solving/solving.ts'
import type { Ready } from './solving/solving.ts'
import { stageWatch } from './solving/watch-stages.ts'

/**
 * The six stages, in their order, for both layouts: filter, rank, allocate, compress, assemble, validate; then the receipt.
 * Where not everything fits, the policy of overflow has the two in the middle run again with less.
 */
export function compile(
  parts: CompilerParts,
  input: CompileInput,
  read: CandidateList,
  told?: CompileWatch,
): CompileResult {
  let alone: ReadonlySet<number> = new Set()
  for (;;) {
    const { referred, pages, result } = packed({ parts, input, read, told, alone })
    const dangling = danglingIn(referred, pages)
    if (dangling.length === 0) return result()
    // What refers to nothing that stands before it stands by itself; where that moves others, so do all.
    const others = alone.size === 0 ? [] : (referred.references ?? []).map(({ index }) => index)
    alone = new Set([...alone, ...dangling, ...others])
  }
}

interface Packing {
  readonly parts: CompilerParts
  readonly input: CompileInput
  readonly read: CandidateList
  readonly told: CompileWatch | undefined
  /** Items that refer to no other. */
  readonly alone: ReadonlySet<number>
}

interface Packed {
  readonly referred: ReferredItems
  readonly pages: readonly Page[]
  result(): CompileResult
}

function packed({ parts, input, read, told, alone }: Packing): Packed {
  const { policy } = input
  const provenance = parts.readProvenance(read, policy)
  const traceId = (): string => parts.inputHash(input, read)
  const judged = parts.judgeItems(input, read, traceId)
  const signals = signalWeights(input.signals)
  const budget = parts.resolveBudget({ request: input.budget, policy, present: judged.list.sections, signals })
  const referred = parts.referItems(input, judged.list, alone)
  const links = asShown(parts, input, { list: referred.list, roomTokens: availableTokens(budget) })
  const { list } = links
  const layout = layoutOf(parts, input, links)
  const free = layout.conversation?.free
  const shut =
    free === undefined ? { ...shutSections(input.budget), ...scopeOf(input, list), onlyTexts: list.bodiless } : {}
  const watch = stageWatch(told, list)
  const passed = watch.filter(() => filterItems({ ...list, policy, ...layout.conversation, ...shut }))
  const aged = agedIn(parts, input, list)
  const ranked = watch.rank(() =>
    grownOld(
      aged,
      parts.rankItems({
        list,
        rank: policy.rank,
        utility: policy.media?.utility,
        written: layout.assembly.written,
        request: input.frame?.request,
        tokensOf: layout.tokensOf,
      }),
    ),
  )
  const filtered = keepTop({ ...ranked, budget, filtered: passed, candidates: list.candidates, free })
  const frameTokens = layout.assembly.frameTokens(countsOf(ranked.members), pointedSections(input, ranked))
  const base = { parts, input, list, links, judged, watch, traceId }
  const known = { ...base, layout, budget, filtered, ranked, aged, frameTokens }
  const prepared: Ready = { ...known, accountTokens: accountTokensOf(known) }
  const ended = overcome(overflowProblem(prepared))
  const omissions = ended.pages.length === 1 ? omissionsIn(prepared, ended.pages[0]) : undefined
  const pages = ended.pages.map((solution) => pageOf(prepared, solution, omissions))
  const result = (): CompileResult =>
    receiptOf(parts, {
      ...prepared,
      read,
      solution: ended.solution,
      ending: ended.outcome,
      pages,
      omissions,
      security: pages[0]?.security,
      surface: () =>
        surfaceIn({ input, judged, layout, forms: ended.solution.forms, packTokens: pages[0]?.pack.tokens ?? 0 }),
      later: ended.pages.slice(1).map(({ forms }) => forms),
      signals: signals.normalised,
      provenance,
      passed,
      ran: watch.ran,
    })
  return { referred, pages, result }
}

interface Arriving {
  readonly list: CandidateList
  readonly roomTokens: number
}

/** Items as they stand where there is room for everything. */
function asShown(parts: CompilerParts, input: CompileInput, { list, roomTokens }: Arriving): LinkedItems {
  const shortened = parts.compressItems(input, list, roomTokens)
  return parts.linkItems(input, parts.arrivingArtifacts(input, parts.arrivingMedia(input, shortened)))
}

function agedIn(
  { history }: CompilerParts,
  { policy: { hygiene } }: CompileInput,
  { candidates }: CandidateList,
): readonly Aged[] | undefined {
  if (hygiene === undefined || !growsOld(hygiene)) return undefined
  return agedItems(
    candidates.map(({ item }) => item),
    hygiene,
    history,
  )
}

/** Scores with what is left of them; the same for the same ages. */
function grownOld(aged: readonly Aged[] | undefined, ranked: Ranked): Ranked {
  if (aged === undefined) return ranked
  const scores = ranked.scores.map((score, index) => score * (aged[index]?.left ?? 1))
  return { ...ranked, scores, rankKey: `${ranked.rankKey} ${aged.map(({ left }) => left).join(' ')}` }
}

/** What may show no item at all shows none. */
function shutSections({ sections = [] }: CompileInput['budget']): { readonly shut?: ReadonlySet<Section> } {
  const shut = sections.filter(({ maxItems }) => maxItems === 0).map(({ section }) => section)
  return shut.length === 0 ? {} : { shut: new Set(shut) }
}

/** Nothing is private where no item is and all tools may be used. */
function scopeOf({ scope = {} }: CompileInput, { scoped }: CandidateList): { readonly scope?: PackScope } {
  return scoped || scope.tools !== undefined ? { scope } : {}
}

/** Who asked for all or nothing gets no account, nor does a conversation that keeps its own structure. */
function accountTokensOf(known: Prepared): number {
  const { input, layout, budget, filtered, ranked, frameTokens } = known
  const isCut = (ranked.members.get('history')?.length ?? 0) > 0 && overflowOf(input) !== 'fail-loud'
  if (!isCut || layout.conversation !== undefined) return 0
  let standingTokens = budget.sections.reduce((sum, { min }) => sum + min, 0)
  const { pinned } = filtered
  for (let index = pinned.indexOf(1); index !== -1; index = pinned.indexOf(1, index + 1))
    standingTokens += ranked.fullTokens[index] ?? 0
  const fullTokens = ranked.totalTokens
  const itemTokens = availableTokens(budget) - frameTokens
  const countsTurns = budget.sections.some(({ recentTurns }) => recentTurns !== undefined)
  if (summarises(input)) {
    const isOver = countsTurns || fullTokens > itemTokens || exceedsMaximum(known)
    return isOver ? summaryRoom(known, { itemTokens, standingTokens }) : 0
  }
  return accountRoom({ itemTokens, fullTokens: countsTurns ? Infinity : fullTokens, standingTokens })
}

/** Whether the conversation takes more than its section may. */
function exceedsMaximum({ budget, ranked }: Prepared): boolean {
  const { max = Infinity } = budget.sections.find(({ section }) => section === 'history') ?? {}
  const members = ranked.members.get('history') ?? []
  return members.reduce((sum, index) => sum + (ranked.fullTokens[index] ?? 0), 0) > max
}

function omissionsIn(ready: Ready, solution: Solution | undefined): readonly Omission[] | undefined {
  const { parts, input, list, ranked, filtered } = ready
  const sections = pointedSections(input, ranked)
  if (solution === undefined || sections.length === 0) return undefined
  const { forms, without, closed } = solution
  const { dropped } = filtered
  const isAllForRoom = dropped.size + without.size + closed.size === 0
  const found = parts.listOmissions({
    list,
    members: new Map(sections.map((section) => [section, ranked.members.get(section) ?? []])),
    forms,
    sections: solution.sections,
    reasonOf: isAllForRoom
      ? undefined
      : (index) => dropped.get(index) ?? without.get(index) ?? (closed.has(index) ? 'group' : undefined),
    handleOf: (text) => handleFrom(parts.hash, input.handleKey ?? '', text),
  })
  return found.length === 0 ? undefined : found
}

function pageOf(ready: Ready, solution: Solution, omissions: readonly Omission[] | undefined): Page {
  const { parts, input, list, layout, filtered, ranked, accountTokens } = ready
  const { forms, sections, granted, allocated } = solution
  const missing = missingOf(ranked, filtered, solution)
  const { durable, memory } = memoryOf(ready, solution)
  const isShown = (index: number): boolean => forms[index] !== undefined
  const summary = payloadSummary(parts, ready, { isShown, roomTokens: accountTokens })
  const items = accountTokens === 0 || summary !== undefined ? nothingCut : cutItems(list, ranked, forms)
  const cut = { items, called: list.called, tokens: accountTokens, ...(summary && { summary }) }
  const assembled = ready.watch.assemble(
    () =>
      (solution.assembly ?? layout.assembly).assemble({
        forms,
        sections,
        members: ranked.members,
        scores: ranked.scores,
        pinned: filtered.pinned,
        order: ranked.order,
        missing,
        omissions,
        links: linkRecords({ ...ready.links, candidates: list.candidates, setting: layout.setting, forms }),
        cut,
        durable,
      }),
    forms,
  )
  const { candidates, repeats } = list
  const toCheck = {
    request: input,
    candidates,
    repeats,
    allocated,
    compressed: { forms, sections, granted },
    assembled,
  }
  ready.watch.validate(() => validatePack(toCheck, ready.traceId), assembled)
  const security = secured(ready, solution, assembled)
  const { entries, messages, tokens } = assembled
  const pack = { layout: input.layout, entries, messages, breakpoints: [], tokens } as const
  const hash = parts.packHash(pack, parts.digestPack(assembled))
  return { assembled, memory, security, pack: { ...pack, hash } }
}

/** What is said of a pack's safety, once it is sure. */
function secured(
  { parts, input, list, judged, layout, traceId }: Ready,
  { forms }: Solution,
  { messages, tokens: packTokens }: Assembled,
): SecurityRecord | undefined {
  const { detector, hash } = parts
  const record = securityRecord({ input, detector, hash, judged, layout, forms, packTokens })
  if (record === undefined) return undefined
  const boundary = layout.boundary?.text
  assertSecure({ input, candidates: list.candidates, forms, messages, boundary, detector, record, hash, traceId })
  return record
}

/** Where a conversation is cut anew, all of it is written again in any case. */
function memoryOf(
  { parts, input, list, ranked: { members } }: Ready,
  solution: Pick<Solution, 'forms' | 'sections' | 'cut'>,
): DurableMemory {
  const { layout, ledger } = input
  if (layout !== 'payload') return { durable: [], memory: [] }
  const { forms, sections, cut } = solution
  const shown = parts.listMemory(list, solution, members)
  const isBehind = shown.length > 0 && cut?.held !== false
  const history = { members: members.get('history') ?? [] }
  const behindTokens = isBehind ? (sections?.get('history')?.tokens ?? usedTokens(forms, history)) : 0
  const known = ledger?.layout === 'payload' ? (ledger.memory ?? []) : []
  return durableMemory({ shown, known, behindTokens, prices: pricesFor(input) })
}

const nothingCut: CutItems = { length: 0, at: () => undefined }

function cutItems({ candidates }: CandidateList, { members }: Ranked, forms: readonly (Form | undefined)[]): CutItems {
  const history = members.get('history') ?? []
  return {
    length: history.length,
    at(place) {
      const index = history[place] ?? -1
      return forms[index] === undefined ? candidates[index]?.item : undefined
    },
  }
}

/** What the reader is told is missing; a copy of what is shown is not. */
function missingOf(
  { members }: Ranked,
  { dropped }: Filtered,
  { forms, sections, without }: Solution,
): AssembleInput['missing'] {
  const isAllForRoom = dropped.size + without.size === 0
  const isMissing = (index: number): boolean =>
    forms[index] === undefined && (dropped.get(index) ?? without.get(index)) !== 'duplicate'
  const count = (section: Section): number => {
    const own = members.get(section) ?? []
    const known = isAllForRoom ? sections?.get(section) : undefined
    return known === undefined ? own.filter(isMissing).length : own.length - known.shown.length
  }
  return { evidence: count('evidence'), memory: count('memory'), history: count('history') }
}
