import type { CachePrices, CompileInput, CompileResult, Outcome, Pack, PackEntry, Section } from '../core/index.ts'
import { compareCodeUnits } from '../core/index.ts'
import { availableTokens, resolveBudget } from './budget/resolve-budget.ts'
import { signalWeights } from './budget/signal-weights.ts'
import type { Candidate } from './candidate.ts'
import type { CandidateList } from './read-candidates.ts'
import type { CompilerParts } from './compiler-parts.ts'
import type { ConversationPlan } from './epochs/index.ts'
import type { SectionUse } from './receipt/report-sections.ts'
import { compileEvents } from './receipt/compile-events.ts'
import { buildManifest } from './receipt/build-manifest.ts'
import { decisionOf } from './receipt/decision.ts'

/** Used where the caller names no prices: a tenth for reading, a quarter more for writing. */
const usualPrices: CachePrices = { read: 0.1, write: 1.25, minTokens: 1024, ttlMs: 300_000 }

/** Compiles a conversation that keeps its structure: items are shown shorter, never moved. */
export function compileMessages(parts: CompilerParts, input: CompileInput, list: CandidateList): CompileResult {
  const { candidates, sections } = list
  const signals = signalWeights(input.signals)
  const present = [...sections].toSorted(compareCodeUnits)
  const budget = resolveBudget({ request: input.budget, policy: input.policy, present, signals })
  const tokens = candidates.map(({ item, memo }) => (memo.tokens ??= parts.itemTokens(item)))
  const limitTokens = availableTokens(budget)
  const plan = parts.planner({
    items: candidates.map(({ item }) => item),
    tokens,
    limitTokens: Math.max(0, limitTokens),
    overheadTokens: budget.overheadTokens,
    policy: input.policy,
    ledger: input.ledger,
    nowMs: input.nowMs,
    prices: input.prices ?? usualPrices,
    handleKey: input.handleKey ?? '',
    hiddenTools: input.hiddenTools,
    rehydration: input.rehydration ?? false,
  })
  const packTokens = plan.renditions.reduce((sum, rendition) => sum + rendition.tokens, 0)
  const fits = plan.fits && packTokens <= limitTokens
  const outcome: Outcome = fits
    ? { kind: 'ok' }
    : {
        kind: 'budget-exhausted',
        neededTokens: packTokens,
        availableTokens: Math.max(0, limitTokens),
        sections: present,
      }
  const pack = fits ? packOf(parts, candidates, plan, packTokens) : undefined
  const decisions = candidates.map((candidate, index) => {
    const rendition = plan.renditions[index]
    return decisionOf(candidate, {
      rung: rendition?.rung ?? 'full',
      reason: plan.reasons[index] ?? 'fits',
      originalTokens: tokens[index] ?? 0,
      tokens: rendition?.tokens ?? 0,
      handle: rendition?.handle,
    })
  })
  const manifest = buildManifest({
    input,
    inputHash: parts.inputHash(input, list),
    packHash: pack?.hash ?? '',
    tokenizerId: parts.tokenizerId,
    outcome,
    budget,
    originalTokens: tokens.reduce((sum, count) => sum + count, 0),
    packTokens,
    frameTokens: 0,
    signals: signals.normalised,
    report: parts.reportSections(budget, membersOf(candidates), decisions),
    decisions,
    epoch: plan.epoch,
  })
  const events = compileEvents(manifest, plan.ledger.turns)
  return { outcome, ...(pack === undefined ? {} : { pack }), manifest, ledger: plan.ledger, events, budget }
}

function packOf(parts: CompilerParts, candidates: readonly Candidate[], plan: ConversationPlan, tokens: number): Pack {
  const entries = candidates.flatMap(({ item }, index): readonly PackEntry[] => {
    const rendition = plan.renditions[index]
    if (rendition === undefined || rendition.rung === 'omitted') return []
    return [
      {
        itemId: item.id,
        section: item.section,
        rung: rendition.rung,
        text: rendition.text,
        tokens: rendition.tokens,
        ...(rendition.handle === undefined ? {} : { handle: rendition.handle }),
      },
    ]
  })
  const pack = { layout: 'messages', entries, messages: [], breakpoints: [], tokens } as const
  return { ...pack, hash: parts.packHash(pack) }
}

function membersOf(candidates: readonly Candidate[]): readonly SectionUse[] {
  const members = new Map<Section, number[]>()
  for (const [index, { item }] of candidates.entries()) {
    const own = members.get(item.section)
    if (own === undefined) members.set(item.section, [index])
    else own.push(index)
  }
  return Array.from(members, ([section, indexes]) => ({ section, members: indexes }))
}
