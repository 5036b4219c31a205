import type { ManifestDecision } from '../../../core/index.ts'
import type { ToolItem } from './tool-items.ts'

/** What the requests of some time did with one tool. */
export interface ToolSum {
  readonly name: string
  readonly isOurs: boolean
  /** Whether calls are recorded of any request that had the tool. */
  isRead: boolean
  defined: number
  wasted: number
  /** Calls and failures, by conversation and item, so that each counts once. */
  readonly calls: Set<string>
  readonly failures: Set<string>
  /** Of its definition, in the newest request that has it. */
  tokens: number
  definitionTokens: number
  wastedTokens: number
  resultTokens: number
  inputUsd: number | null
  usd: number | null
}

/** One request, as far as its tools are concerned. */
export interface RequestTools {
  readonly conversation: string
  readonly decisions: readonly ManifestDecision[]
  /** Items of tools among them, by id. */
  readonly items: ReadonlyMap<string, ToolItem>
  /** Whether these have calls and results. */
  readonly isRead: boolean
  /** Tools that the gateway adds. */
  readonly ours: ReadonlySet<string>
  /** Dollars for a token: at the input price of the model, and as a share of what the request cost. */
  readonly inputUsd: number | undefined
  readonly usd: number | undefined
}

/** Adds a request to the sums, the newest request first. */
export function addRequestTools(sums: Map<string, ToolSum>, request: RequestTools): void {
  const { decisions, items } = request
  const found = decisions.flatMap(({ itemId, tokens }) => {
    const item = items.get(itemId)
    return item === undefined ? [] : [{ ...item, itemId, tokens }]
  })
  const called = new Set(found.flatMap(({ what, tool }) => (what === 'call' ? [tool] : [])))
  const defined = new Set<string>()
  for (const item of found) {
    // A definition that the provider keeps aside, or that is left out, is none that the model was sent.
    if (item.what === 'definition' && item.tokens === 0) continue
    const sum = sumOf(sums, item.tool, request)
    sum.isRead ||= request.isRead
    if (item.what === 'definition') {
      addDefinition(sum, item.tokens, { isFirst: !defined.has(item.tool), isWasted: !called.has(item.tool), request })
      defined.add(item.tool)
    } else addUse(sum, item, request)
  }
}

function sumOf(sums: Map<string, ToolSum>, name: string, { ours }: RequestTools): ToolSum {
  const sum = sums.get(name) ?? newToolSum(name, ours.has(name))
  sums.set(name, sum)
  return sum
}

/** The sum of no request. */
export function newToolSum(name: string, isOurs: boolean): ToolSum {
  const counts = { defined: 0, wasted: 0, tokens: 0, definitionTokens: 0, wastedTokens: 0, resultTokens: 0 }
  return { name, isOurs, isRead: false, ...counts, calls: new Set(), failures: new Set(), inputUsd: null, usd: null }
}

interface Definition {
  /** A tool may stand twice in a request; it is one that defines it all the same. */
  readonly isFirst: boolean
  readonly isWasted: boolean
  readonly request: RequestTools
}

function addDefinition(sum: ToolSum, tokens: number, { isFirst, isWasted, request }: Definition): void {
  if (sum.defined === 0) sum.tokens = tokens
  if (isFirst) sum.defined += 1
  sum.definitionTokens += tokens
  if (isWasted && request.isRead) {
    if (isFirst) sum.wasted += 1
    sum.wastedTokens += tokens
  }
  addMoney(sum, tokens, request)
}

function addUse(
  sum: ToolSum,
  { what, hasFailed, itemId, tokens }: ToolItem & Pick<ManifestDecision, 'itemId' | 'tokens'>,
  request: RequestTools,
): void {
  const key = `${request.conversation} ${itemId}`
  if (what === 'call') sum.calls.add(key)
  else {
    if (hasFailed) sum.failures.add(key)
    sum.resultTokens += tokens
    addMoney(sum, tokens, request)
  }
}

function addMoney(sum: ToolSum, tokens: number, { inputUsd, usd }: RequestTools): void {
  if (inputUsd !== undefined) sum.inputUsd = (sum.inputUsd ?? 0) + tokens * inputUsd
  if (usd !== undefined) sum.usd = (sum.usd ?? 0) + tokens * usd
}
