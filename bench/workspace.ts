import { basename } from 'node:path'
import { argv } from 'node:process'
import { createCompiler } from '../src/compiler/index.ts'
import type { Pack } from '../src/core/index.ts'
import { deltaCompressor } from '../src/governor/index.ts'
import type { CompressorState, Segment, Workspace } from '../src/governor/index.ts'
import { plainRules, readTrace } from '../src/inspect/index.ts'
import type { Trace } from '../src/inspect/index.ts'
import { rebuildingAgent, sha256 } from '../src/inspect/rebuilding-agent.fixture.ts'
import { memoCounter } from '../src/tokens/index.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * Recorded agents as ones that rebuild their context for every call, beside the raw history that they sent: tokens of the first call and
 * growth per turn, what it costs where a provider caches prefixes, what of the strings that a step used still stood, and what
 * the deltas of workspaces save between two processes.
 *
 *   node bench/workspace.ts TRACE.jsonl…
 */

const budgets = [8_000, 16_000] as const
const { tokenizer } = plainRules()
const { count } = memoCounter(tokenizer)
/** Shorter sessions say nothing of growth. */
const leastRequests = 10
/** What a cached token costs. */
const cachedPrice = 0.1

interface Series {
  readonly tokens: number[]
  readonly cost: number[]
}

interface Sums {
  sessions: number
  requests: number
  rawFirst: number
  first: number
  rawSlope: number
  slope: number
  rawCost: number
  cost: number
  needles: number
  kept: number
  fullBytes: number
  deltaBytes: number
  frameBytes: number
  fulls: number
}

const noSums: Sums = {
  sessions: 0,
  requests: 0,
  rawFirst: 0,
  first: 0,
  rawSlope: 0,
  slope: 0,
  rawCost: 0,
  cost: 0,
  needles: 0,
  kept: 0,
  fullBytes: 0,
  deltaBytes: 0,
  frameBytes: 0,
  fulls: 0,
}

async function measured(trace: Trace, softTokens: number, sums: Sums): Promise<void> {
  const compiler = createCompiler({ tokenizer, hash: sha256 })
  const assemble = rebuildingAgent({ compile: (input) => compiler.compile(input), softTokens, windowTokens: 200_000 })
  const own: Series = { tokens: [], cost: [] }
  const raw: Series = { tokens: [], cost: [] }
  const sender = segmentSender(softTokens)
  let before = ''
  for (const [index, request] of trace.requests.entries()) {
    const { result, workspace, delta } = await assemble(request, index)
    const { pack } = result
    if (pack === undefined) return
    const text = textOf(pack)
    own.tokens.push(pack.tokens)
    own.cost.push(billed(pack.tokens, text.length === 0 ? 0 : sharedLength(before, text) / text.length))
    before = text
    const rawTokens = request.messages.reduce(
      (sum, { items }) => sum + items.reduce((all, one) => all + count(one.text), 0),
      0,
    )
    const cached = raw.tokens.at(-1) ?? 0
    raw.tokens.push(rawTokens)
    raw.cost.push(billed(rawTokens, Math.min(1, cached / Math.max(1, rawTokens))))
    for (const needle of trace.needles?.get(index) ?? []) {
      sums.needles += 1
      if (text.includes(needle.text)) sums.kept += 1
    }
    sums.fullBytes += bytes(workspace)
    sums.deltaBytes += bytes(delta ?? workspace)
    sender(workspace, sums)
  }
  sums.sessions += 1
  sums.requests += trace.requests.length
  sums.rawFirst += raw.tokens[0] ?? 0
  sums.first += own.tokens[0] ?? 0
  sums.rawSlope += slope(raw.tokens) * trace.requests.length
  sums.slope += slope(own.tokens) * trace.requests.length
  sums.rawCost += total(raw.cost)
  sums.cost += total(own.cost)
}

/** Sends the entries of each workspace as segments, and checks that they arrive. */
function segmentSender(budgetTokens: number): (workspace: Workspace, sums: Sums) => void {
  const compressor = deltaCompressor({ budgetTokens })
  let state: CompressorState | undefined
  let received: readonly Segment[] | undefined
  return ({ categories }, sums) => {
    const segments = categories.flatMap(({ category, entries }) =>
      entries.map(({ id, text = '', tokens }) => ({ name: `${category}/${id}`, text, tokens })),
    )
    const { state: next, frame } = compressor.compress({ segments }, state)
    state = next
    received = compressor.reconstruct(frame, received)
    if (JSON.stringify(received) !== JSON.stringify(segments)) throw new Error('what arrived is not what was sent')
    sums.frameBytes += bytes(frame)
    if (frame.kind === 'full') sums.fulls += 1
  }
}

const textOf = ({ messages }: Pack): string => messages.map(({ role, text }) => `${role}\n${text}\n`).join('')
const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
const billed = (tokens: number, cachedShare: number): number => tokens * (1 - cachedShare + cachedPrice * cachedShare)

function sharedLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return at
}

/** Least squares: tokens that a turn adds. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = total(values) / values.length
  const over = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  const under = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  return under === 0 ? 0 : over / under
}

const share = (part: number, whole: number): string => (whole === 0 ? 'n/a' : (part / whole).toFixed(3))
const times = (part: number, whole: number): string => (part <= 0 ? 'none' : `${(whole / part).toFixed(1)} x slower`)

for (const file of argv.slice(2)) {
  const rows: Record<string, string>[] = []
  for (const budget of budgets) {
    const sums = { ...noSums }
    for await (const trace of readTrace(file)) {
      if (trace.requests.length >= leastRequests) await measured(trace, budget, sums)
    }
    const { sessions, requests } = sums
    rows.push({
      'budget': String(budget),
      'sessions': `${sessions}, ${requests} requests`,
      'first call': `${(sums.first / sessions).toFixed(0)} of ${(sums.rawFirst / sessions).toFixed(0)}`,
      'tokens a turn': `${(sums.slope / requests).toFixed(0)} of ${(sums.rawSlope / requests).toFixed(0)}, ${times(sums.slope, sums.rawSlope)}`,
      'cost': share(sums.cost, sums.rawCost),
      'strings that stood': share(sums.kept, sums.needles),
      'delta bytes': share(sums.deltaBytes, sums.fullBytes),
      'frame bytes': share(sums.frameBytes, sums.fullBytes),
      'full frames': share(sums.fulls, requests),
    })
  }
  console.log(`\n${basename(file)}\n\n${markdownTable(rows)}`)
}
