import { careful } from '../src/compiler/index.ts'
import type { Item } from '../src/core/index.ts'
import { passThrough, plainRules, policyStrategies, readTrace, renderer, usesOf } from '../src/inspect/index.ts'
import type { RenderedMessage, Strategy, Trace } from '../src/inspect/index.ts'
import { rehydrateTool } from '../src/sessions/index.ts'
import { memoCounter } from '../src/tokens/index.ts'
import { markdownTable } from './markdown-table.ts'
import { needsOf } from './oracle-needs.ts'
import type { Needs } from './oracle-needs.ts'
import { oraclePlan } from './oracle-plan.ts'
import type { OracleItem } from './oracle-plan.ts'
import { recordedSets } from './recorded-sets.ts'

/*
 * What recorded sessions cost with `careful`, and what they would cost one who knows how they go on: which lines a later step needs, and when
 * rewriting pays. The oracle keeps those lines, what states a failure, `careful`'s protection of the newest results and its forms on
 * arrival; all else of a result or a call it may shorten goes but for a marker. By the plain rules.
 *
 *   node bench/oracle.ts [DATA]
 */

const data = process.argv[2] ?? '../shared/data'

const rules = plainRules()
const { read } = rules.prices
const counter = memoCounter(rules.tokenizer)
const count = (text: string): number => counter.count(text)
const definition = count(JSON.stringify(rehydrateTool.definition))

/** What a shortened form takes beside the lines that it keeps: what it was, how it ended, its handle. */
const markerTokens = 30
const { keepFull, keepTokens, keepErrors, callTokens } = careful.epochs
const smallestResult = 60

/** An item of a session, and what it takes in each request from the one on in which it came. */
interface Shown {
  readonly item: Item
  readonly messageId: string
  readonly arrives: number
  readonly tokens: number[]
}

interface Sent {
  readonly items: readonly Shown[]
  readonly cost: number
}

/** Sends a session by one strategy and keeps what each item took. */
function send(trace: Trace, strategy: Strategy): Sent {
  const run = strategy.start(renderer({ count }))
  const messages = new Set(trace.requests.flatMap((request) => request.messages))
  const byId = new Map([...messages].flatMap((message) => message.items.map((item) => [item.id, item])))
  const items = new Map<string, Shown>()
  let before: readonly RenderedMessage[] = []
  let cost = 0
  for (const [request, asked] of trace.requests.entries()) {
    const sent = run.next(asked)
    const same = sent.findIndex((message, at) => message.text !== before[at]?.text)
    for (const [at, message] of sent.entries()) {
      const price = same >= 0 && at >= same ? 1 : read
      if (message.sourceId === '') cost += price * message.tokens
      for (const { itemId = '', text } of message.parts) {
        const item = byId.get(itemId)
        const tokens = count(text)
        cost += price * tokens
        const known = items.get(itemId)
        if (known !== undefined) known.tokens.push(tokens)
        else if (item !== undefined)
          items.set(itemId, { item, messageId: message.sourceId, arrives: request, tokens: [tokens] })
      }
    }
    before = sent
  }
  return { items: [...items.values()], cost }
}

/** From which request on each item may be shortened; never for what is neither a result nor a long call. */
function freeFrom(items: readonly Shown[], requests: number, fails: (shown: Shown) => boolean): readonly number[] {
  const free = items.map(() => Infinity)
  const results = items.flatMap(({ item }, index) => (item.kind === 'tool-result' ? [index] : []))
  for (let request = requests - 1; request > 0; request--) {
    const end = items.filter(({ arrives }) => arrives <= request).length
    const come = results.filter((index) => index < end)
    const reply = items.slice(0, end).findLastIndex(({ item }) => item.role === 'assistant')
    let old = Math.min(end, reply, come.at(-keepFull) ?? 0)
    let tokens = items.slice(old, end).reduce((sum, shown) => sum + (shown.tokens[0] ?? 0), 0)
    while (old > 0 && tokens < keepTokens) tokens += items[(old -= 1)]?.tokens[0] ?? 0
    const oldFailure = Math.min(old, come.at(-keepErrors) ?? 0)
    for (const [index, shown] of items.slice(0, old).entries())
      if (mayGo(shown) && (index < oldFailure || !fails(shown))) free[index] = request
  }
  return free
}

function mayGo({ item, tokens: [tokens = 0] }: Shown): boolean {
  return item.kind === 'tool-result' ? tokens >= smallestResult : item.kind === 'tool-call' && tokens > callTokens
}

interface Known {
  readonly shown: Shown
  readonly free: number
  readonly needs: ReadonlyMap<string, number> | undefined
  readonly stated: number
}

/** The fewest tokens that an item can take from each request on, as one knows who knows the rest. */
function asOracleItem({ shown, free, needs, stated }: Known): OracleItem {
  const [tokens = 0] = shown.tokens
  const lines = Array.from(needs ?? [], ([line, last]) => ({ last, tokens: count(line) + 1 }))
  return {
    arrives: shown.arrives,
    tokens,
    least(request) {
      if (request < free) return tokens
      const kept = lines.reduce((sum, line) => (line.last >= request ? sum + line.tokens : sum), 0)
      const form = kept + stated + markerTokens
      return form <= 0.9 * tokens ? form : tokens
    },
  }
}

interface Tally {
  everything: number
  oracle: number
  careful: number
  /** Of what `careful` pays beyond the oracle: what is carried longer, by kind and age. */
  readonly carried: Map<string, number>
}

const ages = [10, 20, 40, Infinity] as const
const ageNames = ['to 10', '11-20', '21-40', '41+']

function add(tally: Tally, trace: Trace): void {
  const everything = send(trace, passThrough())
  const [strategy] = policyStrategies([{ name: 'careful', policy: careful }], rules)
  if (strategy === undefined) return
  const { items, cost } = send(trace, strategy)
  const requests = trace.requests.length
  const known = oracleItems(trace, items, needsOf(trace))
  const plan = oraclePlan({ items: known, requests, read })
  const bare = oraclePlan({ items: known, requests, read, choices: 1 })
  const planned = plan.cost + (plan.epochs.length > 0 ? definition * (1 - read + read * requests) : 0)
  const isBare = bare.cost <= planned
  tally.everything += everything.cost
  tally.careful += cost
  tally.oracle += Math.min(bare.cost, planned)
  for (const [index, { item, arrives, tokens }] of items.entries()) {
    const least = known[index]
    let own = least?.tokens ?? 0
    for (let request = arrives; request < requests; request++) {
      const epoch = isBare ? undefined : plan.epochs.find((one) => one.request === request)
      if (epoch !== undefined && index >= epoch.from) own = least?.least(request) ?? own
      const age = ageNames[ages.findIndex((most) => request - arrives <= most)] ?? ''
      const key = `${item.kind} ${age}`
      const more = read * ((tokens[request - arrives] ?? 0) - own)
      tally.carried.set(key, (tally.carried.get(key) ?? 0) + more)
    }
  }
}

function oracleItems(trace: Trace, items: readonly Shown[], needs: Needs): readonly OracleItem[] {
  const messages = trace.requests.at(-1)?.messages ?? []
  const byId = new Map(messages.map((message) => [message.id, message]))
  const { failures } = usesOf(trace)
  const stated = items.map(({ item, messageId }) => {
    const message = byId.get(messageId)
    const [first] = item.kind === 'tool-result' && message !== undefined ? failures(message, messages) : []
    return first === undefined ? 0 : count(first)
  })
  const failing = new Set(items.filter((_, index) => (stated[index] ?? 0) > 0))
  const free = freeFrom(items, trace.requests.length, (shown) => failing.has(shown))
  return items.map((shown, index) =>
    asOracleItem({
      shown,
      free: free[index] ?? Infinity,
      needs: needs.get(shown.item.id),
      stated: stated[index] ?? 0,
    }),
  )
}

async function tallyOf(files: readonly string[]): Promise<Tally> {
  const tally: Tally = { everything: 0, oracle: 0, careful: 0, carried: new Map() }
  for (const file of files)
    for await (const trace of readTrace(`${data}/${file}.jsonl`, {})) if (trace.requests.length > 0) add(tally, trace)
  return tally
}

const rows: { [column: string]: string }[] = []
for (const [set, files] of recordedSets) {
  process.stderr.write(`${set}\n`)
  const { everything, oracle, careful: own, carried } = await tallyOf(files)
  const share = (tokens: number): string => (tokens / everything).toFixed(3)
  const sumOf = (kind: string): string =>
    ageNames.map((age) => ((carried.get(`${kind} ${age}`) ?? 0) / everything).toFixed(3)).join(' ')
  const all = [...carried.values()].reduce((sum, tokens) => sum + tokens, 0)
  rows.push({
    'set': set,
    'oracle': share(oracle),
    '`careful`': share(own),
    'share of what the oracle saves': `${Math.round((100 * (everything - own)) / (everything - oracle))}%`,
    'results held longer': sumOf('tool-result'),
    'own calls held longer': sumOf('tool-call'),
    'written anew, and the tool': share(own - oracle - all),
  })
}
process.stdout.write(`Ages in requests: ${ageNames.join(', ')}.\n\n${markdownTable(rows)}\n`)
