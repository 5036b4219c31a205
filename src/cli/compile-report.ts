import { fittedTable, textTable } from './text-table.ts'
import { breachText } from '../compiler/index.ts'
import { hanging } from './wrap-text.ts'
import { hasPack, shortageOf, shownManifest } from '../core/index.ts'
import type { Manifest, ManifestDecision, Outcome, Pack, SentencePlace } from '../core/index.ts'

/** A compile; or a manifest alone, which a receipt holds. */
export interface Reported {
  readonly manifest: Manifest
  readonly outcome?: Outcome
  readonly pack?: Pack | undefined
}

/** How a compile ended, what each section got, and what became of which item and why. */
export function compileReport({ outcome, manifest: made, pack }: Reported, columns?: number): string {
  const manifest = outcome === undefined ? shownManifest(made) : made
  const { model, tokenizerId, layout, policyId, policyVersion, windowTokens, reserveTokens, overheadTokens } = made
  const facts = [
    `outcome    ${outcome === undefined ? outcomeOfManifest(made) : outcomeLine(outcome)}`,
    `tokens     ${tokensText(made)}, counted by ${tokenizerId}`,
    `window     ${windowTokens}, of it ${reserveTokens} kept for the reply and ${overheadTokens} for framing`,
    `compiled   layout ${layout}, policy ${policyId} ${policyVersion}${model === undefined ? '' : `, model ${model}`}`,
    ...(pack === undefined ? [] : [`pack       ${pack.hash}`]),
    ...stageLine(manifest),
    ...epochLine(manifest),
    ...reliefLine(manifest),
    ...securityLines(manifest),
    ...contradictionLines(manifest),
    ...qualityLines(manifest),
  ]
  const lines = [
    ...facts.map((fact) => hanging(fact, columns)),
    '',
    sectionTable(manifest),
    '',
    ...decisionLines(manifest.decisions, columns),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function outcomeLine(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'ok':
      return 'ok'
    case 'retrieval-pending':
      return `retrieval-pending: ${outcome.deferredIds.join(', ')} left to be retrieved`
    case 'split-required':
      return `split-required: needs ${outcome.neededTokens} of ${outcome.availableTokens} tokens; ${outcome.reason}`
    case 'paginated':
      return `paginated: ${outcome.pages.length} pages`
    case 'budget-exhausted':
      return `budget-exhausted: needs ${outcome.neededTokens} of ${outcome.availableTokens} tokens in ${outcome.sections.join(', ')}`
  }
}

/** A receipt holds the kind of its outcome only. */
function outcomeOfManifest(manifest: Manifest): string {
  const shortage = shortageOf(manifest)
  if (shortage !== undefined) {
    const { neededTokens, availableTokens, why } = shortage
    return `${manifest.outcome}: needs ${neededTokens} tokens and has ${availableTokens}; ${why}`
  }
  const deferred = manifest.decisions.filter(({ reason }) => reason === 'deferred').map(({ itemId }) => itemId)
  if (manifest.outcome !== 'retrieval-pending' || deferred.length === 0) return manifest.outcome
  const omitted = manifest.decisions.filter(({ rung }) => rung === 'omitted').length
  return outcomeLine({ kind: 'retrieval-pending', deferredIds: deferred, omitted })
}

function tokensText(manifest: Manifest): string {
  if (!hasPack(manifest)) return `${manifest.originalTokens}, without a pack`
  return `${manifest.originalTokens} -> ${manifest.packTokens}${keepRatio(manifest)}`
}

function keepRatio({ originalTokens, packTokens }: Manifest): string {
  return originalTokens === 0 ? '' : ` (keepRatio ${(packTokens / originalTokens).toFixed(3)})`
}

/** Items and tokens that each stage has left. */
function stageLine({ stages = [] }: Manifest): readonly string[] {
  if (stages.length === 0) return []
  const told = stages.map(({ stage, items, tokens, runs = 1 }) => {
    return `${stage}${runs > 1 ? ` (${runs} times)` : ''} ${items} ${tokens}`
  })
  return [`stages     items and tokens left by ${told.join(', ')}`]
}

function epochLine({ epoch }: Manifest): readonly string[] {
  if (epoch === undefined) return []
  const figures = `rewriting ${epoch.rewriteCost.toFixed(0)}, saving ${epoch.savingPerTurn.toFixed(0)} a turn over ${epoch.expectedTurns.toFixed(0)} turns`
  return [`epoch      ${epoch.epoch}, ${epoch.decision}: ${epoch.cause} (${figures})`]
}

function reliefLine({ relief, overflow }: Manifest): readonly string[] {
  if (relief === undefined) return []
  const taken = relief.steps.map(
    ({ step, section, tokensBefore, tokensAfter }) =>
      `${step}${section === undefined ? '' : ` of ${section}`} ${tokensBefore} -> ${tokensAfter}`,
  )
  const none = relief.enough ? 'no step needed' : 'no step makes room'
  const steps = taken.length === 0 ? none : taken.join(', ')
  return [`relief     ${steps}${relief.enough ? '' : `; not enough, so ${overflow}`}`]
}

function contradictionLines({ contradictions = [] }: Manifest): readonly string[] {
  const place = ({ at, start, end }: SentencePlace): string => `${at} (${start}-${end})`
  return contradictions.map(
    ({ about, first, second }) => `warning    ${place(first)} contradicts ${place(second)}: ${about}`,
  )
}

function securityLines({ security }: Manifest): readonly string[] {
  if (security === undefined) return []
  const { surface, findings = [] } = security
  const told = findings.map(
    ({ itemId, action, score, reasons }) => `${itemId} ${action} (${score}: ${reasons.join(', ')})`,
  )
  return [`security   surface ${surface.toFixed(3)}${told.length === 0 ? '' : `; ${told.join('; ')}`}`]
}

function qualityLines({ quality }: Manifest): readonly string[] {
  if (quality === undefined) return []
  const { measures, breaches = [] } = quality
  const told = Object.entries(measures).map(([measure, value]) => `${measure} ${value.toFixed(3)}`)
  return [`quality    ${told.join(', ')}`, ...breaches.map((breach) => `warning    ${breachText(breach)}`)]
}

function sectionTable({ sections }: Manifest): string {
  const present = sections.filter((section) => section.demandTokens > 0 || section.allocatedTokens > 0)
  const rows = present.map((section) => [
    section.section,
    String(section.tier),
    String(section.demandTokens),
    String(section.allocatedTokens),
    String(section.usedTokens),
    String(section.included),
    String(section.excluded),
  ])
  return textTable(['section', 'tier', 'wanted', 'allocated', 'used', 'in', 'out'], rows)
}

const shownDecisions = 40

/** Whole items are counted; what is shown otherwise is listed, dearest first. */
function decisionLines(decisions: readonly ManifestDecision[], columns?: number): readonly string[] {
  const whole = decisions.filter((decision) => decision.rung === 'full')
  const saved = ({ originalTokens, tokens }: ManifestDecision): number => originalTokens - tokens
  const other = decisions.filter((decision) => decision.rung !== 'full').toSorted((a, b) => saved(b) - saved(a))
  const first = `${whole.length} of ${decisions.length} items in full (${reasonCounts(whole)})`
  if (other.length === 0) return [first]
  const rows = other
    .slice(0, shownDecisions)
    .map((one) => [
      one.itemId,
      one.section,
      one.rung,
      one.reason,
      `${one.originalTokens} -> ${one.tokens}`,
      one.handle ?? '',
    ])
  const more = other.length > rows.length ? [`… and ${other.length - rows.length} more; --json has them all`] : []
  const head = ['item', 'section', 'rung', 'reason', 'tokens', 'handle']
  return [first, '', fittedTable(head, rows, { columns, drop: ['section', 'reason', 'rung'] }), ...more]
}

function reasonCounts(decisions: readonly ManifestDecision[]): string {
  const counts = new Map<string, number>()
  for (const { reason } of decisions) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(([reason, count]) => `${reason} ${count}`).join(', ')
}
