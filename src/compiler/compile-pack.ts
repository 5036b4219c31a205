import type { CompileInput, CompileResult, Ledger, Outcome, Pack, PackMessage } from '../core/index.ts'
import type { CandidateList } from './read-candidates.ts'
import type { CompilerParts } from './compiler-parts.ts'
import { settle } from './overflow.ts'
import { packJob } from './pack-job.ts'
import { buildManifest } from './receipt/build-manifest.ts'
import { compileEvents } from './receipt/compile-events.ts'
import type { Solution } from './solve-pack.ts'
import { solvePack } from './solve-pack.ts'
import type { Assembled } from './stages/assemble-pack.ts'
import type { Piece } from './layout/piece.ts'
import { digestOf } from './layout/piece.ts'
import { validatePack } from './stages/validate-pack.ts'

/** Compiles sections into a request of its own: the stages in order, then the receipt (P-019, C-002). */
export function compilePack(parts: CompilerParts, input: CompileInput, list: CandidateList): CompileResult {
  const job = packJob(parts, input, list)
  const settled = settle(job)
  const pages = settled.solutions.map((solution) => pageOf(solution))
  const [first] = pages
  const outcome: Outcome =
    settled.outcome.kind === 'paginated' ? { kind: 'paginated', pages: pages.map(({ pack }) => pack) } : settled.outcome
  const solution = settled.solutions[0] ?? solvePack(job)
  const decisions = parts.decide(solution, settled.solutions.slice(1))
  const manifest = buildManifest({
    input,
    inputHash: parts.inputHash(input, list),
    packHash: first?.pack.hash ?? '',
    tokenizerId: parts.tokenizerId,
    outcome,
    budget: job.budget,
    originalTokens: job.fullTokens.reduce((sum, tokens) => sum + tokens, 0),
    packTokens: first?.pack.tokens ?? 0,
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
      })),
      decisions,
    ),
    decisions,
    evidenceNeeded: !(job.members.get('evidence') ?? []).some((index) => solution.forms[index] !== undefined),
  })
  const ledger = nextLedger(input, manifest.packTokens, manifest.originalTokens)
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
  const assembled = parts.assemblePack({ ...packFrame, forms, scores })
  validatePack({ assembled, solution })
  const { entries, messages, pieces, tokens } = assembled
  const pack = { layout: 'pack', entries, messages, breakpoints: [], tokens } as const
  const messageLines = linesOf(messages, pieces, (piece) => digestOf(piece, parts.hash))
  const entryLines = assembled.shown.map((shown) => (shown.entryLine ??= parts.entryLine(shown.entry)))
  return { assembled, pack: { ...pack, hash: parts.packHash(pack, { messageLines, entryLines }) } }
}

/** Role and hashes of the pieces of every message. */
function linesOf(
  messages: readonly PackMessage[],
  { system, history, payload }: Assembled['pieces'],
  digest: (piece: Piece) => string,
): readonly string[] {
  const lines: string[] = ['system']
  for (const piece of system) lines.push(digest(piece))
  for (let index = 0; index < history.length; index += 1) {
    const piece = history[index]
    const message = messages[index + 1]
    if (piece !== undefined && message !== undefined) lines.push(message.role, digest(piece))
  }
  lines.push('user')
  for (const piece of payload) lines.push(digest(piece))
  return lines
}

/** A pack is built anew every time: its ledger only counts. */
function nextLedger({ ledger, policy, nowMs }: CompileInput, lastTokens: number, lastOriginalTokens: number): Ledger {
  return {
    schema: 'prehend.ledger/1',
    epoch: ledger?.epoch ?? 0,
    policyId: policy.id,
    entries: ledger?.entries ?? [],
    turns: (ledger?.turns ?? 0) + 1,
    ...(nowMs === undefined ? {} : { lastRequestMs: nowMs }),
    lastTokens,
    lastOriginalTokens,
    account: ledger?.account ?? { passThrough: 0, actual: 0 },
    regret: ledger?.regret ?? 0,
    rehydrations: ledger?.rehydrations ?? 0,
  }
}
