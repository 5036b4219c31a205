import { expectedTurns } from '../../compiler/index.ts'
import type { CachePrices, Policy, SessionLengths, ToolDefinition, ToolsPart, WireExchange } from '../../core/index.ts'
import {
  catalogueIndex,
  executeToolName,
  isHabitual,
  metaToolNames,
  nothingLearnt,
  qualityBy,
  selectTools,
} from '../../tools/index.ts'
import type { HostStep } from '../../stores/index.ts'
import type { LearntTools, QueryMeaning } from '../../tools/index.ts'
import type { MeaningAsked } from '../meanings/meanings.ts'
import { aboutTools, serverOf } from './about-tools.ts'
import type { HostedTool } from './hosted-tools.ts'
import { functionsOf } from './listed-tools.ts'

export interface ToolsToChoose {
  readonly received: WireExchange
  /** In force for the request. */
  readonly policy: Policy
  /** Of the provider's cache; absent where there is none. */
  readonly prices?: CachePrices | undefined
  readonly sessionLengths?: SessionLengths | undefined
  /** Whether the provider can keep definitions aside. */
  readonly defers: boolean
  /** What was chosen before: tools that were called since keep their places. */
  readonly before?: ToolsPart | undefined
  /** From earlier conversations of the tenant. Nothing by default. */
  readonly learnt?: LearntTools | undefined
  /** Tools of the host that the model may find. None by default. */
  readonly hosted?: readonly HostedTool[] | undefined
  /** The step of the host that the request is made for. None by default. */
  readonly step?: HostStep | undefined
  /** What `meaningFor` asks for; without it, words alone decide. */
  readonly meaning?: QueryMeaning | undefined
  /** What the definition of each tool takes; asked where something is selected. */
  tokens(): ReadonlyMap<string, number>
  /** Tokens of a text as the model counts. */
  count(text: string): number
}

/**
 * The tools that a conversation's requests are to define; undefined where all of them are, and the host has none to be found. The same for the
 * same request.
 */
export function chooseListed(asked: ToolsToChoose): ToolsPart | undefined {
  const { policy, received, defers } = asked
  const tools = functionsOf(received)
  const selection = selectionOf(policy, received)
  if (selection === 'off') return undefined
  const hosted = reachesHost(tools) ? [] : (asked.hosted ?? [])
  const plan = planFor(asked, { tools, selection })
  const told = hosted.map(({ id, server }) => ({ name: id, server }))
  const step = selection === 'sticky' ? stepName(asked.step) : undefined
  const ofStep = step !== undefined && { step }
  if (plan === undefined) {
    const whole = hosted.length > 0 ? wholePart(received, told) : undefined
    return whole && { ...whole, ...ofStep }
  }
  const about = aboutTools([...plan.left, ...told])
  // A provider that keeps definitions aside answers no calls of tools that it was never sent.
  const isDeferred = defers && hosted.length === 0
  return { kind: 'tools', listed: plan.names, about, ...(isDeferred && { isDeferred: true as const }), ...ofStep }
}

/** The query and the tools that `chooseListed` can compare by their vectors, too; undefined where it searches nothing. */
export function meaningFor({
  policy,
  received,
  step,
}: Pick<ToolsToChoose, 'policy' | 'received' | 'step'>): MeaningAsked | undefined {
  const tools = functionsOf(received)
  const selection = selectionOf(policy, received)
  const isSearched = selection === 'sticky' || (selection === 'auto' && tools.length >= fewestToFind)
  return isSearched && tools.length > 0 ? { query: queryOf(received, step), tools } : undefined
}

/** Fewer tools are hardly ever left to be found by `auto`, so that nothing is embedded for them. */
const fewestToFind = 20

function selectionOf(policy: Policy, received: WireExchange): 'off' | 'sticky' | 'meta' | 'auto' {
  const isTaken = functionsOf(received).some(({ name }) => metaToolNames.has(name))
  return isTaken || findsByItself(received) ? 'off' : (policy.tools?.selection ?? 'off')
}

/** A step by the names of its host; undefined where it has none. */
export function stepName({ taskId = '', stepId }: HostStep = {}): string | undefined {
  return stepId === undefined ? undefined : JSON.stringify([taskId, stepId])
}

/** All tools of the client stay as they are, and those of the host are found. */
function wholePart(
  { wire: { acceptsTool, acceptsFirstTool } }: WireExchange,
  told: Parameters<typeof aboutTools>[0],
): ToolsPart | undefined {
  if (!acceptsTool && acceptsFirstTool !== true) return undefined
  return { kind: 'tools', listed: [], isWhole: true, about: aboutTools(told) }
}

/** Whether the client reaches the tools of the host by itself, as one of `prehend mcp` does. */
function reachesHost(tools: readonly ToolDefinition[]): boolean {
  return tools.some(({ name }) => name.endsWith(`_${executeToolName}`))
}

interface Chosen {
  /** Tools that are defined, and names of tools that were called and that the client has no more. */
  readonly names: readonly string[]
  readonly left: readonly ToolDefinition[]
}

interface ToPlan {
  readonly tools: readonly ToolDefinition[]
  readonly selection: 'sticky' | 'meta' | 'auto'
}

/** What of the client's tools is defined; undefined where nothing is to be left out. */
function planFor(asked: ToolsToChoose, { tools, selection }: ToPlan): Chosen | undefined {
  const { received, before } = asked
  const { acceptsTool, acceptsToolInstead = acceptsTool } = received.wire
  if (!acceptsToolInstead) return undefined
  const called = calledTools(received)
  const wasLeft = (name: string): boolean =>
    before !== undefined && before.isWhole !== true && !before.listed.includes(name)
  const byExecute = new Set([...called].filter(wasLeft))
  const core = coreOf(asked, { tools, called, byExecute })
  const open = tools.filter(({ name }) => !core.has(name) && !byExecute.has(name))
  const tokens = asked.tokens()
  const found = selection === 'meta' ? [] : bestFitting(asked, { tools, open, core, tokens })
  const plans: readonly Plan[] = [
    ...(selection === 'sticky' ? [] : [planOf({ tools, listed: core, tokens, searches: searchesOfMeta })]),
    ...(selection === 'meta'
      ? []
      : [planOf({ tools, listed: new Set([...core, ...found]), tokens, searches: searchesOfSticky })]),
  ]
  const [best] = plans
    .map((plan) => ({ plan, ...worthOf(asked, plan) }))
    .toSorted((one, other) => other.saved - other.spent - (one.saved - one.spent))
  if (best === undefined || best.plan.left.length === 0 || (selection === 'auto' && best.saved <= margin * best.spent))
    return undefined
  // Names of tools that the client has no more keep the calls of them as they are.
  const names = [...new Set([...best.plan.listed, ...[...called].filter((name) => !byExecute.has(name))])]
  return { names, left: best.plan.left }
}

function calledTools({ conversation: { items } }: WireExchange): ReadonlySet<string> {
  return new Set(
    items.flatMap(({ kind, toolName }) => (kind === 'tool-call' && toolName !== undefined ? [toolName] : [])),
  )
}

interface Known {
  readonly tools: readonly ToolDefinition[]
  readonly called: ReadonlySet<string>
  readonly byExecute: ReadonlySet<string>
}

/** More tools of its own no agent needs at once. */
const mostOwnTools = 40

/**
 * Tools that stand whatever is asked: those of the policy, those that were called, those that half of the earlier conversations called, and the agent's
 * own, that is those whose names tell of no server, unless these are very many.
 */
function coreOf(
  { policy, learnt = nothingLearnt }: ToolsToChoose,
  { tools, called, byExecute }: Known,
): ReadonlySet<string> {
  const named = new Set(policy.coreTools)
  const own = tools.filter(({ name }) => serverOf(name) === undefined)
  const { ownTools = mostOwnTools } = policy.tools ?? {}
  const always = new Set(own.length <= ownTools ? own.map(({ name }) => name) : [])
  const isCore = (name: string): boolean =>
    named.has(name) || called.has(name) || always.has(name) || isHabitual(learnt, name)
  return new Set(tools.flatMap(({ name }) => (isCore(name) && !byExecute.has(name) ? [name] : [])))
}

/** A client that leaves tools to be found by itself knows what it does. */
function findsByItself({ conversation: { items } }: WireExchange): boolean {
  return items.some(
    ({ kind, text }) => kind === 'tool-schema' && /"defer_loading"|"type"\s*:\s*"tool_search/.test(text),
  )
}

interface ToFill {
  readonly tools: readonly ToolDefinition[]
  readonly open: readonly ToolDefinition[]
  readonly core: ReadonlySet<string>
  readonly tokens: ReadonlyMap<string, number>
}

/** What fits what the user says best, beside the core. */
function bestFitting(
  { policy, received, step, meaning, learnt = nothingLearnt }: ToolsToChoose,
  { tools, open, core, tokens }: ToFill,
): readonly string[] {
  const isOpen = new Set(open.map(({ name }) => name))
  const all = catalogueIndex(tools, learnt).search(queryOf(received, step), {
    ...meaning,
    limit: tools.length,
    quality: qualityBy(learnt),
  })
  const found = all.filter(({ id }) => isOpen.has(id)).slice(0, mostFound)
  const { maxTools, maxTokens } = policy.tools ?? {}
  const bounds = { ...(maxTools !== undefined && { maxTools }), ...(maxTokens !== undefined && { maxTokens }) }
  return selectTools({ tokens, core: [...core], found, ...bounds }).chosen.map(({ id }) => id)
}

/** Tools of a search that may come in. */
const mostFound = 20
const mostQueryChars = 4_000

/** What the user asks for: the newest message, and with it the name of the step, or without one the first message. */
function queryOf({ conversation: { items } }: WireExchange, { stepId }: HostStep = {}): string {
  const said = items.filter(({ role, kind }) => role === 'user' && kind === 'text').map(({ text }) => text)
  const beside = stepId ?? (said.length > 1 ? said[0] : undefined)
  return [said.at(-1), ...(beside === undefined ? [] : [beside])].join('\n').slice(0, mostQueryChars)
}

interface Plan {
  readonly listed: ReadonlySet<string>
  readonly left: readonly ToolDefinition[]
  readonly leftTokens: number
  readonly listedTokens: number
  /** How often the model is expected to look for a tool. */
  readonly searches: number
}

/** Measured: docs/tools/costs.md. */
const [searchesOfMeta, searchesOfSticky] = [3, 2]

function planOf({
  tools,
  listed,
  tokens,
  searches,
}: Pick<Plan, 'listed' | 'searches'> & Pick<ToFill, 'tokens'> & Pick<Known, 'tools'>): Plan {
  const left = tools.filter(({ name }) => !listed.has(name))
  const sum = (names: Iterable<string>): number =>
    [...names].reduce((total, name) => total + (tokens.get(name) ?? 0), 0)
  return { listed, left, leftTokens: sum(left.map(({ name }) => name)), listedTokens: sum(listed), searches }
}

/** The three definitions, what a search answers, and what the model writes to ask, in tokens; what it writes costs five times as much. */
const [metaTokens, answerTokens, askTokens, outputPrice] = [300, 350, 60, 5]
/** By how much a conversation has grown when a tool is looked for. */
const grownTokens = 4_000

/** What a plan saves over all that is expected to follow, and what searches cost, in tokens at the price of input that is not cached. */
function worthOf(
  { received, policy, prices, sessionLengths, count }: ToolsToChoose,
  plan: Plan,
): { readonly saved: number; readonly spent: number } {
  const { read = 1, write = 1 } = prices ?? {}
  const { items } = received.conversation
  const turns = items.filter(({ kind }) => kind === 'tool-call').length
  const requests = expectedTurns(turns, Math.min(policy.epochs.expectedTurns, unknownRequests), sessionLengths)
  const said = items.reduce(
    (sum, { kind, text, tokens }) => (kind === 'tool-schema' ? sum : sum + (tokens ?? count(text))),
    0,
  )
  const search =
    (said + plan.listedTokens + grownTokens) * read +
    answerTokens * (write + (read * requests) / 2) +
    askTokens * outputPrice
  return {
    saved: (plan.leftTokens - metaTokens) * (write + read * Math.max(0, requests - 1)),
    spent: plan.searches * search,
  }
}

/** Of a tenant whose sessions nobody has seen yet. */
const unknownRequests = 10
/** Searches may become so much dearer than expected before nothing is saved. */
const margin = 2
