import type {
  CompileInput,
  CompileResult,
  Manifest,
  ManifestDecision,
  Outcome,
  Pack,
  PackMessage,
  ReasonCode,
  Role,
  Section,
} from '../core/index.ts'
import type { CandidateList } from './read-candidates.ts'
import type { CompilerParts } from './compiler-parts.ts'
import { settle } from './overflow.ts'
import type { HistoryState } from './history-ledger.ts'
import { epochOf, nextPackLedger } from './history-ledger.ts'
import type { PackJob } from './pack-job.ts'
import { packJob } from './pack-job.ts'
import { buildManifest } from './receipt/build-manifest.ts'
import { decider } from './receipt/decide.ts'
import type { Decide } from './receipt/decide.ts'
import { compileEvents } from './receipt/compile-events.ts'
import type { Solution } from './solve-pack.ts'
import { solvePack } from './solve-pack.ts'
import type { Assembled } from './stages/assemble-pack.ts'
import type { PackBlocks } from './layout/payload.ts'
import type { Piece } from './layout/piece.ts'
import { digestOf } from './layout/piece.ts'
import { validateProvenance } from './validate-provenance.ts'
import { validatePack } from './stages/validate-pack.ts'

export type CompilePack = (input: CompileInput, list: CandidateList) => CompileResult

/** Compiles sections into a request of its own: the stages in order, then the receipt. */
export function packCompiler(parts: CompilerParts): CompilePack {
  const decide = decider()
  return (input, list) => compilePack({ parts, decide, input, list })
}

interface PackTask {
  readonly parts: CompilerParts
  readonly decide: Decide
  readonly input: CompileInput
  readonly list: CandidateList
}

function compilePack({ parts, decide, input, list }: PackTask): CompileResult {
  if (input.policy.provenance === 'full') validateProvenance(list.candidates)
  const job = packJob(parts, input, list)
  const settled = settle(job)
  const pages = settled.solutions.map(pageOf)
  const packs = pages.map(({ pack }) => pack)
  const outcome: Outcome = settled.outcome.kind === 'paginated' ? { kind: 'paginated', pages: packs } : settled.outcome
  const solution = settled.solutions[0] ?? nothingSent(job)
  const compiled = {
    solution,
    outcome,
    page: pages[0],
    decisions: decide(solution, settled.solutions.slice(1)),
    originalTokens: job.fullTokens.reduce((sum, tokens) => sum + tokens, 0),
  }
  const manifest = manifestOf(compiled)
  const ledger = nextPackLedger(historyState(compiled))
  const [pack] = packs
  const events = compileEvents(manifest, ledger.turns)
  return { outcome, ...(pack === undefined ? {} : { pack }), manifest, ledger, events, budget: job.budget }
}

/** A refused compile shows nothing; what it would have needed stays in its plans. */
function nothingSent(job: PackJob): Solution {
  const without = new Map<number, ReasonCode>(job.candidates.map((_, index) => [index, 'overflow']))
  return { ...solvePack(job), forms: job.candidates.map(() => undefined), without, grouped: new Set() }
}

interface Compiled {
  readonly solution: Solution
  readonly outcome: Outcome
  /** The first page, where something is sent. */
  readonly page: Page | undefined
  readonly decisions: readonly ManifestDecision[]
  readonly originalTokens: number
}

function manifestOf(compiled: Compiled): Manifest {
  const { solution, outcome, page, decisions, originalTokens } = compiled
  const { job, plans, allocated, shadowPrice, forms } = solution
  const { parts, input, list, members, budget } = job
  const uses = plans.map(({ section, demand }) => ({
    section,
    demandTokens: demand,
    allocatedTokens: allocated.get(section) ?? 0,
    members: members.get(section) ?? [],
  }))
  return buildManifest({
    input,
    inputHash: parts.inputHash(input, list),
    packHash: page?.pack.hash ?? '',
    tokenizerId: parts.tokenizerId,
    outcome,
    budget,
    originalTokens,
    packTokens: page?.pack.tokens ?? 0,
    frameTokens: page?.assembled.frameTokens ?? job.frameTokens,
    ...(shadowPrice === undefined ? {} : { shadowPrice }),
    signals: { ...job.signals.normalised },
    report: parts.reportSections(budget, uses, decisions),
    decisions,
    ...(input.ledger === undefined ? {} : { epoch: epochOf(historyState(compiled)) }),
    markup: job.packFrame.markup.name,
    artifactUris: page?.assembled.uris ?? [],
    evidenceNeeded: !(members.get('evidence') ?? []).some((index) => forms[index] !== undefined),
  })
}

function historyState({ solution, page, originalTokens }: Compiled): HistoryState {
  const { job, history } = solution
  return {
    input: job.input,
    candidates: job.candidates,
    history: job.members.get('history') ?? [],
    cut: history,
    lastTokens: page?.pack.tokens ?? 0,
    lastOriginalTokens: originalTokens,
    historyTokens: (page?.assembled.pieces.history ?? []).reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

interface Page {
  readonly assembled: Assembled
  readonly pack: Pack
}

function pageOf(solution: Solution): Page {
  const { job, forms } = solution
  const { parts, scores, packFrame } = job
  const assembled = parts.assemblePack({ ...packFrame, forms, scores, missing: missingOf(solution) })
  validatePack({ assembled, solution })
  const { entries, messages, pieces, tokens } = assembled
  const pack = { layout: 'payload', entries, messages, breakpoints: [], tokens } as const
  const messageLines = linesOf(messages, pieces, (piece) => digestOf(piece, parts.hash))
  const entryLines = assembled.shown.map((shown) => (shown.entryLine ??= parts.entryLine(shown.entry)))
  return { assembled, pack: { ...pack, hash: parts.packHash(pack, { messageLines, entryLines }) } }
}

/** How many items of each section the payload says are not shown; a duplicate of an item that is shown does not count. */
function missingOf({ job, forms }: Solution): PackBlocks['missing'] {
  const count = (section: Section): number => {
    let missing = 0
    for (const index of job.members.get(section) ?? [])
      if (forms[index] === undefined && job.dropped.get(index) !== 'duplicate') missing += 1
    return missing
  }
  return { evidence: count('evidence'), memory: count('memory'), history: count('history') }
}

/** Role and hashes of the pieces of every message. */
function linesOf(
  messages: readonly PackMessage[],
  { system, history, payload }: Assembled['pieces'],
  digest: (piece: Piece) => string,
): readonly string[] {
  const lines: string[] = []
  const add = (role: Role, own: readonly Piece[]): void => {
    lines.push(role)
    for (const piece of own) lines.push(digest(piece))
  }
  if (system.length > 0) add('system', system)
  const first = system.length > 0 ? 1 : 0
  for (let index = 0; index < history.length; index += 1) {
    const piece = history[index]
    if (piece !== undefined) lines.push(messages[first + index]?.role ?? 'user', digest(piece))
  }
  add('user', payload)
  return lines
}
