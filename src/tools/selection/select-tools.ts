import { compareCodeUnits } from '../../core/index.ts'

/** A tool that was chosen by a search, and its score when it was chosen. */
export interface ChosenTool {
  readonly id: string
  readonly score: number
}

/** A tool that a search has found. */
export interface FoundChoice extends ChosenTool {
  /** How well it fits whatever its quality; the score where absent. */
  readonly fit?: number
}

export interface ToolChoice {
  /** Tokens of the definition of every tool that may be offered, by id. */
  readonly tokens: ReadonlyMap<string, number>
  /** Tools that are always offered. */
  readonly core: readonly string[]
  /** What a search has found for the query, the best first. */
  readonly found: readonly FoundChoice[]
  /** Tools that the session has called: they never leave. */
  readonly called?: readonly string[]
  /** What was chosen before in this epoch: it stays. None where an epoch begins. */
  readonly chosen?: readonly ChosenTool[]
  /** Of all offered tools. Default: 12. */
  readonly maxTools?: number
  /** Of the definitions of all offered tools. Default: 8,000. */
  readonly maxTokens?: number
  /** Where no tool fits as well as that, the query is about none of them. Default: 0.5. */
  readonly leastFit?: number
}

export interface SelectedTools {
  /** What is offered: core tools by id, then the others by id. */
  readonly ids: readonly string[]
  /** `chosen` for the next request of the epoch. */
  readonly chosen: readonly ChosenTool[]
  readonly tokens: number
  readonly warnings: readonly string[]
}

const usualTools = 12
const usualTokens = 8000
const usualLeastFit = 0.5
/** How much better than the worst of the chosen a tool must be to come within an epoch. */
const hysteresis = 1.3

/**
 * Which tools a request offers. Core tools and called ones always; then the best of a search that fit both limits: what does not fit is
 * skipped. Within an epoch the chosen ones stay, and a new one comes only where its score is more than 1.3 times that of the worst of them. Pure; the
 * order in which tools are registered changes nothing.
 */
export function selectTools(choice: ToolChoice): SelectedTools {
  const { tokens } = choice
  const known = (ids: readonly string[]): readonly string[] => byId(new Set(ids.filter((id) => tokens.has(id))))
  const core = known(choice.core)
  const called = known(choice.called ?? []).filter((id) => !core.includes(id))
  const fixed = new Set([...core, ...called])
  const kept = (choice.chosen ?? []).filter(({ id }) => tokens.has(id) && !fixed.has(id))
  const chosen = [...kept, ...addedTo(fixed, kept, choice)]
  const others = byId([...called, ...chosen.map(({ id }) => id)])
  const ids = [...core, ...others]
  return { ids, chosen, tokens: sumOf(ids, tokens), warnings: warningsOf(choice, core) }
}

/** The best that still fit beside those that stay. */
function addedTo(
  fixed: ReadonlySet<string>,
  kept: readonly ChosenTool[],
  { tokens, found, maxTools = usualTools, maxTokens = usualTokens, leastFit = usualLeastFit }: ToolChoice,
): readonly ChosenTool[] {
  const worst = Math.min(...kept.map(({ score }) => score))
  const offered = new Set([...fixed, ...kept.map(({ id }) => id)])
  const added: ChosenTool[] = []
  let spent = sumOf(offered, tokens)
  if (!found.some(({ score, fit = score }) => fit >= leastFit)) return added
  for (const { id, score } of found) {
    const own = tokens.get(id)
    const isBetter = kept.length === 0 || score > hysteresis * worst
    if (own === undefined || !isBetter || offered.has(id)) continue
    if (offered.size >= maxTools) break
    if (spent + own > maxTokens) continue
    offered.add(id)
    added.push({ id, score })
    spent += own
  }
  return added
}

function byId(ids: Iterable<string>): readonly string[] {
  return [...ids].toSorted(compareCodeUnits)
}

function sumOf(ids: Iterable<string>, tokens: ReadonlyMap<string, number>): number {
  return [...ids].reduce((sum, id) => sum + (tokens.get(id) ?? 0), 0)
}

function warningsOf(
  { core: asked, tokens, maxTools = usualTools, maxTokens = usualTokens }: ToolChoice,
  core: readonly string[],
): readonly string[] {
  const unknown = byId(new Set(asked.filter((id) => !tokens.has(id))))
  const spent = sumOf(core, tokens)
  const rest = 'All of them are offered, and none that a search finds.'
  return [
    ...unknown.map((id) => `Core tool ${id} is not in the catalogue.`),
    ...(core.length > maxTools ? [`${core.length} core tools exceed maxTools (${maxTools}). ${rest}`] : []),
    ...(spent > maxTokens ? [`Core tools take ${spent} tokens and exceed maxTokens (${maxTokens}). ${rest}`] : []),
  ]
}
