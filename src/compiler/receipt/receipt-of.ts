import type {
  Budget,
  CompileInput,
  CompileResult,
  CompileStage,
  EpochRecord,
  Ledger,
  Manifest,
  ManifestDecision,
  Omission,
  Outcome,
  Pack,
  ProvenanceRecord,
  ReasonCode,
  SecurityRecord,
  StaleItem,
} from '../../core/index.ts'
import { asConstraint, resolveConstraints } from '../../core/index.ts'
import { findContradictions } from '../contradictions/find-contradictions.ts'
import { orderingTexts } from '../contradictions/ordering-texts.ts'
import { initialRelevance } from '../hygiene/aged-items.ts'
import type { Aged } from '../hygiene/aged-items.ts'
import type { ConversationPlan } from '../epochs/index.ts'
import type { LinkedItems } from '../items/linked-items.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { compressionRecord, originalTokensOf } from '../shrink/compression-record.ts'
import type { LayoutPlan } from '../layout/layout-of.ts'
import type { Ending, Solution } from '../overflow/overflow.ts'
import type { Page } from '../stages/assemble.ts'
import type { Filtered } from '../stages/filter.ts'
import type { Ranked } from '../stages/rank.ts'
import { buildManifest } from './build-manifest.ts'
import type { ManifestParts } from './build-manifest.ts'
import { linkRecords } from './link-records.ts'
import { qualityIn } from './quality-in.ts'
import { compileEvents } from './compile-events.ts'
import { epochOf, nextPayloadLedger } from './payload-ledger.ts'
import type { SectionUse } from './report-sections.ts'
import { summaryRecords } from './summary-records.ts'
import { stageRecords } from './stage-records.ts'
import { wasteOf } from './waste.ts'
import type { ReceiptParts } from './receipt-parts.ts'

/** What is known of a compile before a token is granted. */
export interface Prepared {
  readonly input: CompileInput
  readonly list: CandidateList
  readonly links: LinkedItems
  readonly layout: LayoutPlan
  readonly budget: Budget
  readonly filtered: Filtered
  readonly ranked: Ranked
  /** What has become of each item since it appeared; absent where nothing grows old. */
  readonly aged?: readonly Aged[] | undefined
  /** What no item owns, at most; an account of what is cut comes on top. */
  readonly frameTokens: number
}

export interface ReceiptInput extends Prepared {
  /** The candidates before any of them was given another form. */
  readonly read: CandidateList
  /** The first page, or what would not fit. */
  readonly solution: Solution
  readonly pages: readonly Page[]
  /** Forms of the pages after the first. */
  readonly later: readonly Solution['forms'][]
  /** What of each section is not shown, with the handle that tells what. */
  readonly omissions?: readonly Omission[] | undefined
  readonly ending: Ending
  readonly signals: Readonly<Record<string, number>>
  readonly provenance: ProvenanceRecord | undefined
  readonly security: SecurityRecord | undefined
  /** Of what is sent, as the defense sees it. */
  readonly surface: () => number
  /** What the filter alone has let pass. */
  readonly passed: Filtered
  /** As they began. */
  readonly ran: readonly CompileStage[]
}

/** What was decided and why, and what the session knows from now on. A refused compile sends nothing. */
export function receiptOf(parts: ReceiptParts, given: ReceiptInput): CompileResult {
  const { input, list, ranked, solution, pages, ending } = given
  const [page] = pages
  const offers = pages.length === 1 && solution.conversation?.offers === true
  const budget = offers ? withOffer(given) : given.budget
  const sent = page === undefined ? nothingSent(list) : solution
  const fullTokens = originalTokensOf(list, ranked.fullTokens, given.read)
  const decisions = decisionsOf(parts, given, { sent, fullTokens })
  const originalTokens =
    fullTokens === ranked.fullTokens ? ranked.totalTokens : fullTokens.reduce((sum, tokens) => sum + tokens, 0)
  const { ledger, epoch } = sessionAfter(given, originalTokens)
  const report = parts.reportSections(budget, usesOf(given), decisions)
  const manifest = buildManifest({
    input,
    inputHash: parts.inputHash(input, given.read),
    packHash: page?.pack.hash ?? '',
    tokenizerId: parts.tokenizerId,
    outcome: ending.kind,
    budget,
    originalTokens,
    packTokens: page?.pack.tokens ?? 0,
    frameTokens: page?.assembled.frameTokens ?? given.frameTokens,
    ...priceOf(given),
    signals: { ...given.signals },
    stages: stageRecords({
      ran: given.ran,
      fullTokens,
      originalTokens,
      dropped: { filter: given.passed.dropped, rank: given.filtered.dropped },
      allocated: solution.allocated,
      forms: solution.forms,
      report,
      assembled: page?.assembled,
    }),
    report,
    decisions,
    ...(epoch === undefined ? {} : { epoch }),
    ...compactionIn(given),
    ...(solution.relief === undefined ? {} : { relief: solution.relief }),
    ...(page === undefined ? {} : summariesIn(parts, given, page)),
    ...(given.security === undefined ? {} : { security: given.security }),
    ...(given.provenance === undefined ? {} : { provenance: given.provenance }),
    ...payloadFields(given, sent.forms),
    ...compressionRecord({ list, forms: sent.forms, fullTokens }),
    ...lookedFor(parts, given, decisions),
    ...constraintsOf(given),
    ...linksIn(given, sent),
    ...(offers && { offers }),
  })
  const events = compileEvents(manifest, ledger.turns)
  return { ...concluded(ending, pages, decisions), manifest, ledger, events, budget } as CompileResult
}

/** There is a page exactly where the outcome has a pack. */
function concluded(ending: Ending, pages: readonly Page[], decisions: readonly ManifestDecision[]) {
  const packs = pages.map(({ pack }) => pack)
  const outcome = outcomeOf(ending, packs, decisions)
  return { kind: outcome.kind, outcome, ...(packs[0] && { pack: packs[0] }) }
}

function outcomeOf(ending: Ending, pages: readonly Pack[], decisions: readonly ManifestDecision[]): Outcome {
  if (ending.kind === 'paginated') return { kind: 'paginated', pages }
  if (ending.kind !== 'ok' && ending.kind !== 'retrieval-pending') return ending
  let omitted = 0
  // The words of a duplicate stand in the pack.
  for (const { rung, reason } of decisions) if (rung === 'omitted' && reason !== 'duplicate') omitted += 1
  return { ...ending, omitted }
}

function linksIn({ links, list, layout }: ReceiptInput, { forms }: Sent): Pick<ManifestParts, 'links'> {
  const found = linkRecords({ ...links, candidates: list.candidates, setting: layout.setting, forms })
  return found.length === 0 ? {} : { links: found }
}

/** What the request takes besides its items, now that it offers our tool. */
function withOffer({ input, budget }: ReceiptInput): Budget {
  return { ...budget, overheadTokens: budget.overheadTokens + (input.budget.offerTokens ?? 0) }
}

interface DecidedOn {
  readonly sent: Sent
  /** Of each item, shown in full. */
  readonly fullTokens: ArrayLike<number>
}

function decisionsOf(
  parts: ReceiptParts,
  { list, layout, ranked, filtered, solution, later, ending }: ReceiptInput,
  { sent, fullTokens }: DecidedOn,
): readonly ManifestDecision[] {
  return parts.decide({
    list,
    rankKey: ranked.rankKey,
    setting: layout.setting,
    fullTokens,
    scores: ranked.scores,
    forms: sent.forms,
    sections: sent.sections,
    members: ranked.members,
    dropped: filtered.dropped,
    without: sent.without,
    closed: sent.closed,
    shortened: solution.shortened,
    stood: solution.held?.stood,
    later,
    heldCut: solution.cut?.held === true,
    conversation: ending.kind === 'paginated' ? undefined : sent.conversation,
  })
}

type LookedFor = Pick<ManifestParts, 'quality' | 'stale' | 'waste' | 'contradictions'>

/** What a policy asks to be looked for. */
function lookedFor(parts: ReceiptParts, given: ReceiptInput, decisions: readonly ManifestDecision[]): LookedFor {
  return {
    ...qualityIn(parts, given, decisions),
    ...staleIn(given),
    ...wasteIn(given, decisions),
    ...contradictionsIn(given.input),
  }
}

function staleIn({ aged, list }: ReceiptInput): Pick<ManifestParts, 'stale'> {
  const stale = (aged ?? []).flatMap(({ left, signals }, index): StaleItem[] => {
    const item = list.candidates[index]?.item
    return item === undefined || signals.length === 0
      ? []
      : [{ itemId: item.id, signals, relevance: initialRelevance(item) * left }]
  })
  return stale.length === 0 ? {} : { stale }
}

/** Of what is sent; where there are pages, of the first. */
function wasteIn({ input, pages }: ReceiptInput, decisions: readonly ManifestDecision[]): Pick<ManifestParts, 'waste'> {
  const [page] = pages
  if (input.policy.trackWaste !== true || page === undefined) return {}
  return { waste: wasteOf({ items: input.items, entries: page.pack.entries, decisions }) }
}

function summariesIn(
  { hash }: ReceiptParts,
  { input, list, ranked, solution }: ReceiptInput,
  page: Page,
): Pick<ManifestParts, 'summaries'> {
  return summaryRecords({
    candidates: list.candidates,
    fullTokens: ranked.fullTokens,
    renditions: solution.conversation?.renditions,
    made: page.assembled.summaries,
    given: input.summaries,
    handleKey: input.handleKey ?? '',
    hash,
  })
}

function contradictionsIn(input: CompileInput): Pick<ManifestParts, 'contradictions'> {
  if (input.policy.findContradictions !== true) return {}
  return { contradictions: findContradictions(orderingTexts(input)) }
}

type Sent = Pick<Solution, 'forms' | 'sections' | 'without' | 'closed' | 'conversation'>

function nothingSent({ candidates }: CandidateList): Sent {
  const without = new Map<number, ReasonCode>(candidates.map((_, index) => [index, 'overflow']))
  return { forms: candidates.map(() => undefined), without, closed: new Set() }
}

interface SessionAfter {
  readonly ledger: Ledger
  readonly epoch: EpochRecord | undefined
}

function sessionAfter(given: ReceiptInput, lastOriginalTokens: number): SessionAfter {
  const { input, list, layout, ranked, solution, pages } = given
  // Pages are requests beside the conversation: nothing of it has been sent in its place.
  if (solution.conversation !== undefined)
    return pages.length === 1
      ? solution.conversation
      : { ledger: unsent(input, solution.conversation), epoch: undefined }
  const state = {
    input,
    candidates: list.candidates,
    repeats: list.repeats,
    history: ranked.members.get('history') ?? [],
    cut: solution.cut,
    held: pages.length === 0 ? undefined : solution.held,
    lastTokens: pages[0]?.pack.tokens ?? 0,
    lastOriginalTokens,
    historyTokens: pages[0]?.assembled.historyTokens ?? 0,
    memory: pages[0]?.memory ?? [],
    markup: layout.markup,
  }
  return { ledger: nextPayloadLedger(state), epoch: input.ledger === undefined ? undefined : epochOf(state) }
}

/** Of a conversation that is sent. */
function compactionIn({ solution: { conversation }, pages }: ReceiptInput): Pick<ManifestParts, 'compaction'> {
  return conversation?.compaction === undefined || pages.length !== 1 ? {} : { compaction: conversation.compaction }
}

/** Where nothing was sent nothing has changed: what was decided for it is forgotten. */
function unsent({ ledger }: CompileInput, planned: ConversationPlan): Ledger {
  if (ledger !== undefined) return ledger
  const { marks: _, ...fresh } = planned.ledger
  return { ...fresh, epoch: 0, entries: [], turns: 0, lastTokens: 0, account: { passThrough: 0, actual: 0 }, regret: 0 }
}

/** In a conversation, sections compete only now and then. */
function priceOf({ layout, solution }: ReceiptInput): Pick<Manifest, 'shadowPrice'> {
  const { shadowPrice } = solution.allocated
  if (solution.shortage !== undefined || shadowPrice === undefined) return {}
  return layout.conversation !== undefined && shadowPrice === 0 ? {} : { shadowPrice }
}

/** What a section's items ask for is, in a conversation, what they take in full, whatever was hidden before. */
function usesOf({ layout, ranked, solution }: ReceiptInput): readonly SectionUse[] {
  return solution.allocated.plans.map(({ section, demand }) => ({
    section,
    ...(layout.conversation === undefined ? { demandTokens: demand } : {}),
    allocatedTokens: solution.granted.get(section) ?? 0,
    members: ranked.members.get(section) ?? [],
  }))
}

function constraintsOf({ input, layout, pages }: ReceiptInput): Pick<ManifestParts, 'constraints'> {
  const given = (input.frame?.constraints ?? []).map(asConstraint)
  if (layout.markup === undefined || given.length === 0) return {}
  const { overruled } = resolveConstraints(given)
  if (input.policy.payload === undefined && overruled.length === 0) return {}
  const tokens = pages[0]?.assembled.constraintTokens ?? 0
  return { constraints: { tokens, overruled: overruled.map((one) => given.indexOf(one)) } }
}

function payloadFields(
  { layout, ranked, pages, omissions, list }: ReceiptInput,
  forms: Sent['forms'],
): Pick<ManifestParts, 'markup' | 'artifactUris' | 'evidenceNeeded' | 'omissions'> {
  const ofItems = list.candidates.flatMap(({ artifact }, index) =>
    artifact !== undefined && forms[index]?.rendition.text.includes(artifact) === true ? [artifact] : [],
  )
  const artifactUris = [...(pages[0]?.assembled.uris ?? []), ...new Set(ofItems)]
  if (layout.markup === undefined) return artifactUris.length === 0 ? {} : { artifactUris }
  const evidenceNeeded = !(ranked.members.get('evidence') ?? []).some((index) => forms[index] !== undefined)
  return { markup: layout.markup, artifactUris, evidenceNeeded, ...(omissions && { omissions }) }
}
