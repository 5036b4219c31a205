import { hash } from 'node:crypto'
import { argv } from 'node:process'
import { AIMessage, HumanMessage, trimMessages } from '@langchain/core/messages'
import { OutputMode, PromptElement, PromptRenderer, Raw, UserMessage } from '@vscode/prompt-tsx'
import type { PromptPiece } from '@vscode/prompt-tsx'
import type { Item, Tokenizer } from '../src/core/index.ts'
import { createCompiler } from '../src/compiler/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { markdownTable } from './markdown-table.ts'
import { packingInput, packingItems } from './packing-items.ts'

/*
 * Packs 2,000 items into 100,000 tokens: Prehend (water-filling over sections, rungs, receipt and both hashes included)
 * beside @vscode/prompt-tsx (priorities) and LangChain's trimMessages (keeps the newest), in turns, in one process.
 * Cold: nothing remembered, only the vocabulary is loaded. Warm: the same items again. Appended: two more messages.
 *
 *   npm run -s bench -- packing      or, so many runs: node bench/packing.ts [RUNS]
 */

const runs = Number(argv[2] ?? 7)
const budgetTokens = 100_000
const bpe = encodingTokenizer('o200k_base')
bpe.count('The vocabulary is read at the first count.')
const sha256 = (text: string): string => hash('sha256', text)

/** One way to pack; `start` forgets everything and gives a function that packs. */
interface Packer {
  readonly name: string
  readonly runs: number
  start(): (items: readonly Item[], request: string) => Promise<number> | number
}

const prehend: Packer = {
  name: 'Prehend',
  runs,
  start() {
    const compiler = createCompiler({ tokenizer: bpe, hash: sha256 })
    return (items, request) => compiler.compile(packingInput(items, budgetTokens, request)).pack?.tokens ?? 0
  },
}

interface ListProps {
  readonly items: readonly Item[]
  readonly priority?: number
}

/** Every item a message with its rank as priority. */
class MessageList extends PromptElement<ListProps> {
  override render(): PromptPiece {
    const messages = this.props.items.map((item, index) =>
      vscpp(UserMessage, { priority: Math.floor((item.scores?.relevance ?? index / 2000) * 1000) }, item.text),
    )
    return vscpp(vscppf, {}, ...messages) as PromptPiece
  }
}

const promptTsx: Packer = {
  name: '@vscode/prompt-tsx',
  runs: Math.min(runs, 5),
  start() {
    const { count } = memoCounter(bpe)
    const tokenizer = {
      mode: OutputMode.Raw,
      tokenLength: (part: Raw.ChatCompletionContentPart) =>
        part.type === Raw.ChatCompletionContentPartKind.Text ? count(part.text) : 0,
      countMessageTokens: (message: Raw.ChatMessage) =>
        4 + message.content.reduce((sum, part) => sum + ('text' in part ? count(part.text) : 0), 0),
    } as const
    return async (items) => {
      const renderer = new PromptRenderer({ modelMaxPromptTokens: budgetTokens }, MessageList, { items }, tokenizer)
      return (await renderer.render()).tokenCount
    }
  },
}

function langchain(name: string, tokenizer: () => Pick<Tokenizer, 'count'>, times: number): Packer {
  return {
    name,
    runs: times,
    start() {
      const { count } = tokenizer()
      const tokensOf = (messages: readonly { readonly content: unknown }[]): number =>
        messages.reduce((sum, { content }) => sum + 4 + count(String(content)), 0)
      return async (items) => {
        const messages = items.map(({ text, role }) =>
          role === 'assistant' ? new AIMessage(text) : new HumanMessage(text),
        )
        const kept = await trimMessages(messages, { maxTokens: budgetTokens, strategy: 'last', tokenCounter: tokensOf })
        return tokensOf(kept)
      }
    },
  }
}

const quarter = { count: (text: string) => Math.ceil(text.length / 4) }

const packers: readonly Packer[] = [
  prehend,
  promptTsx,
  langchain('LangChain trimMessages, chars/4', () => quarter, Math.min(runs, 5)),
  langchain('LangChain trimMessages, exact counts remembered', () => memoCounter(bpe), 1),
]

interface Times {
  readonly cold: number[]
  readonly warm: number[]
  readonly appended: number[]
  tokens: number
}

const noTimes = (): Times => ({ cold: [], warm: [], appended: [], tokens: 0 })

async function timed(work: () => Promise<number> | number): Promise<readonly [ms: number, tokens: number]> {
  const started = performance.now()
  const tokens = await work()
  return [performance.now() - started, tokens]
}

function turn(number: number): readonly Item[] {
  const asked = `Turn ${number}: what was in the log at that time?`
  const answered = `At turn ${number} the worker had retried twice and the cache had expired.`
  return [
    { id: `q${number}`, section: 'history', kind: 'text', role: 'user', text: asked },
    { id: `a${number}`, section: 'history', kind: 'text', role: 'assistant', text: answered },
  ]
}

/** One cold run, then the same items again, then growing by a turn each time. */
async function runOnce(packer: Packer, times: Times, items: readonly Item[], repeats: number): Promise<void> {
  const pack = packer.start()
  const fresh = structuredClone<readonly Item[]>(items)
  const [cold, tokens] = await timed(() => pack(fresh, 'What changed?'))
  times.cold.push(cold)
  times.tokens = tokens
  for (let round = 0; round < repeats; round += 1) {
    const [warm] = await timed(() => pack(fresh, 'What changed?'))
    times.warm.push(warm)
  }
  let grown = fresh
  for (let round = 0; round < repeats; round += 1) {
    grown = [...grown, ...turn(round)]
    const [appended] = await timed(() => pack(grown, `And after turn ${round}?`))
    times.appended.push(appended)
  }
}

function figure(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): string => digits(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
  return values.length === 0 ? 'not run' : `${at(0.5)} (${at(0.05)}-${at(0.95)})`
}

function digits(ms: number): string {
  return ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2)
}

async function compare(count: number, candidates: readonly Packer[], repeatsOf: (packer: Packer) => number) {
  const items = packingItems(count)
  const total = items.reduce((sum, { text }) => sum + bpe.count(text), 0)
  const results = new Map(candidates.map((packer) => [packer, noTimes()]))
  for (let round = 0; round < runs; round += 1)
    for (const [packer, times] of results)
      if (round < packer.runs) await runOnce(packer, times, items, repeatsOf(packer))
  console.log(`\n${count} items of ${total} tokens, into ${budgetTokens}; median (p5-p95) in ms\n`)
  const rows = Array.from(results, ([{ name }, times]) => ({
    'packer': name,
    'cold': figure(times.cold),
    'warm': figure(times.warm),
    'one turn appended': figure(times.appended),
    'tokens kept': String(times.tokens),
  }))
  console.log(markdownTable(rows))
}

/** The engine optimises what runs often; what is measured is a process that has been running for a while. */
async function warmUp(packer: Packer): Promise<void> {
  const until = performance.now() + warmUpMs
  const items = packingItems(2_000, 2)
  do await runOnce(packer, noTimes(), items, packer === prehend ? 300 : 1)
  while (performance.now() < until)
}

const warmUpMs = 3_000

for (const packer of packers) await warmUp(packer)
await compare(2_000, packers, (packer) => (packer === prehend ? 60 : packer.runs === 1 ? 1 : 3))
await compare(8_000, [prehend], () => 30)
