import type { CompileInput, CompileResult, Outcome, Pack, PackMessage, Role, Section } from '../core/index.ts'
import type { CandidateList } from './read-candidates.ts'
import type { CompilerParts } from './compiler-parts.ts'
import { settle } from './overflow.ts'
import { epochOf, nextPackLedger } from './history-ledger.ts'
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

/** Compiles sections into a request of its own: the stages in order, then the receipt (P-019, C-002). */
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
  const pages = settled.solutions.map((solution) => pageOf(solution))
  const [first] = pages
  const outcome: Outcome =
    settled.outcome.kind === 'paginated' ? { kind: 'paginated', pages: pages.map(({ pack }) => pack) } : settled.outcome
  const solution = settled.solutions[0] ?? solvePack(job)
  const decisions = decide(solution, settled.solutions.slice(1))
  const state = {
    input,
    candidates: list.candidates,
    history: job.members.get('history') ?? [],
    cut: solution.history,
    lastTokens: first?.pack.tokens ?? 0,
    lastOriginalTokens: job.fullTokens.reduce((sum, tokens) => sum + tokens, 0),
    historyTokens: (first?.assembled.pieces.history ?? []).reduce((sum, { tokens }) => sum + tokens, 0),
  }
  const manifest = buildManifest({
    input,
    inputHash: parts.inputHash(input, list),
    packHash: first?.pack.hash ?? '',
    tokenizerId: parts.tokenizerId,
    outcome,
    budget: job.budget,
    originalTokens: state.lastOriginalTokens,
    packTokens: state.lastTokens,
    frameTokens: first?.assembled.frameTokens ?? job.frameTokens,
    ...(solution.shadowPrice === undefined ? {} : { shadowPrice: solution.shadowPrice }),
    signals: { ...job.signals.normalised },
    report: parts.reportSections(
      job.budget,
      solution.plans.map(({ section, demand }) => ({
        section,
        demandTokens: demand,
        allocatedTokens: solution.allocated.get(section) ?? 0,
        members: job.members.get(section) ?? [],
        fidelityOf: (index: number) => solution.forms[index]?.rendition.fidelity,
      })),
      decisions,
    ),
    decisions,
    ...(input.ledger === undefined ? {} : { epoch: epochOf(state) }),
    dialect: job.packFrame.markup.dialect,
    artifactUris: first?.assembled.uris ?? [],
    evidenceNeeded: !(job.members.get('evidence') ?? []).some((index) => solution.forms[index] !== undefined),
  })
  const ledger = nextPackLedger(state)
  const events = compileEvents(manifest, ledger.turns)
  return { outcome, ...(first === undefined ? {} : { pack: first.pack }), manifest, ledger, events, budget: job.budget }
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
  const pack = { layout: 'pack', entries, messages, breakpoints: [], tokens } as const
  const messageLines = linesOf(messages, pieces, (piece) => digestOf(piece, parts.hash))
  const entryLines = assembled.shown.map((shown) => (shown.entryLine ??= parts.entryLine(shown.entry)))
  return { assembled, pack: { ...pack, hash: parts.packHash(pack, { messageLines, entryLines }) } }
}

/** What the reader is told is missing; a copy of what is shown is not. */
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
