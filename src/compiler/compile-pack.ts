import type { CompileInput, CompileResult, Ledger, ManifestDecision, Outcome, Pack, ReasonCode } from '../core/index.ts'
import type { Candidate } from './candidate.ts'
import type { CandidateList } from './read-candidates.ts'
import type { CompilerParts } from './compiler-parts.ts'
import { settle } from './overflow.ts'
import { packJob } from './pack-job.ts'
import { buildManifest, reportSections } from './receipt/build-manifest.ts'
import { compileEvents } from './receipt/compile-events.ts'
import { decisionOf } from './receipt/decision.ts'
import type { Solution } from './solve-pack.ts'
import { solvePack } from './solve-pack.ts'
import type { Assembled } from './stages/assemble-pack.ts'
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
  const decisions = decisionsOf(solution, settled.solutions.slice(1))
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
    report: reportSections(
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
  const pieceHashes = pieces.map((own) => own.map((piece) => digestOf(piece, parts.hash)))
  const entryLines = assembled.shown.map((shown) => (shown.entryLine ??= parts.entryLine(shown.entry)))
  return { assembled, pack: { ...pack, hash: parts.packHash(pack, { pieceHashes, entryLines }) } }
}

/** One decision per candidate (V-003); for pages, those of the first. */
function decisionsOf(solution: Solution, laterPages: readonly Solution[]): readonly ManifestDecision[] {
  const { job, forms } = solution
  const { candidates, scores, setting } = job
  const plain = job.dropped.size + solution.without.size + solution.grouped.size + laterPages.length === 0
  const decisions: ManifestDecision[] = []
  for (let index = 0; index < candidates.length; index += 1) {
    const candidate = candidates[index]
    if (candidate === undefined) break
    const form = forms[index]
    const score = scores[index] ?? 0
    const { decided, decision } = candidate.memo
    const same = decided?.form === form && decided?.score === score && decided.handleKey === setting.handleKey
    if (plain && same && decision !== undefined) {
      decisions.push(decision)
      continue
    }
    decisions.push(makeDecision(solution, index, candidate, laterPages))
    candidate.memo.decided = plain ? { form, score, handleKey: setting.handleKey } : undefined
  }
  return decisions
}

function makeDecision(
  solution: Solution,
  index: number,
  candidate: Candidate,
  laterPages: readonly Solution[],
): ManifestDecision {
  const { job, forms } = solution
  const form = forms[index]
  const rung = form?.rendition.rung ?? 'omitted'
  const lossless = rung === 'full' || rung === 'lossless'
  return decisionOf(candidate, {
    rung,
    reason: reasonOf(solution, index, laterPages),
    originalTokens: job.fullTokens[index] ?? 0,
    tokens: form?.tokens ?? 0,
    score: job.scores[index],
    handle: lossless ? undefined : job.setting.handleOf(candidate),
  })
}

function reasonOf(solution: Solution, index: number, laterPages: readonly Solution[]): ReasonCode {
  const { job, forms, without, grouped } = solution
  const form = forms[index]
  const item = job.candidates[index]?.item
  if (form === undefined) {
    const known = job.dropped.get(index) ?? without.get(index) ?? (grouped.has(index) ? 'group' : undefined)
    if (known !== undefined) return known
    return laterPages.some((page) => page.forms[index] !== undefined) ? 'deferred' : 'section-budget'
  }
  if (form.rendition.rung === 'lossless') return 'lossless'
  if (form.rendition.rung !== 'full') return 'section-budget'
  if (item?.pin === true) return 'pinned'
  return item?.frozen === true ? 'frozen' : 'fits'
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
