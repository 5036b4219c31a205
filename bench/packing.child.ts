import { hash } from 'node:crypto'
import { argv } from 'node:process'
import { AIMessage, HumanMessage, trimMessages } from '@langchain/core/messages'
import { OutputMode, PromptElement, PromptRenderer, Raw, UserMessage } from '@vscode/prompt-tsx'
import type { PromptPiece } from '@vscode/prompt-tsx'
import type { Item, Tokenizer } from '../src/core/index.ts'
import { frozenCopy } from '../src/core/index.ts'
import { createCompiler } from '../src/compiler/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { budgetTokens, packingInput, packingItems } from './packing-items.ts'
import type { PackerName, PackingOrder, PackingTimes } from './packing-items.ts'

/*
 * One way to pack, in a process of its own, that runs what it is sent: what another packer leaves on the heap and in the engine is not
 * for it to bear.
 */

const bpe = encodingTokenizer('o200k_base')
bpe.count('The vocabulary is read at the first count.')
const sha256 = (text: string): string => hash('sha256', text)

/** One way to pack; `start` forgets everything and gives a function that packs. */
interface Packer {
  start(): (items: readonly Item[], request: string) => Promise<number> | number
}

const prehend: Packer = {
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

function langchain(tokenizer: () => Pick<Tokenizer, 'count'>): Packer {
  return {
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

const packers: Readonly<Record<PackerName, Packer>> = {
  'Prehend': prehend,
  'Prehend, frozen items': prehend,
  '@vscode/prompt-tsx': promptTsx,
  'LangChain trimMessages, chars/4': langchain(() => quarter),
  'LangChain trimMessages, exact counts remembered': langchain(() => memoCounter(bpe)),
}

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

/** Items that nobody has seen: as plain data, or as the makers of items give them. */
const given: (items: readonly Item[]) => readonly Item[] =
  argv[2] === 'Prehend, frozen items' ? frozenCopy : (items) => structuredClone(items)

/** One cold run, then the same items again, then growing by a turn each time. */
async function runOnce(packer: Packer, items: readonly Item[], repeats: number): Promise<PackingTimes> {
  const pack = packer.start()
  const fresh = given(items)
  const [cold, tokens] = await timed(() => pack(fresh, 'What changed?'))
  const warm: number[] = []
  const appended: number[] = []
  for (let round = 0; round < repeats; round += 1) {
    const [ms] = await timed(() => pack(fresh, 'What changed?'))
    warm.push(ms)
  }
  let grown = fresh
  for (let round = 0; round < repeats; round += 1) {
    grown = [...grown, ...given(turn(round))]
    const [ms] = await timed(() => pack(grown, `And after turn ${round}?`))
    appended.push(ms)
  }
  return { cold, warm, appended, tokens }
}

/** The engine optimises what runs often; what is measured is a process that has been running for a while. */
async function warmUp(packer: Packer, repeats: number): Promise<void> {
  const until = performance.now() + warmUpMs
  const items = packingItems(2_000, 2)
  do await runOnce(packer, items, repeats)
  while (performance.now() < until)
}

const warmUpMs = 3_000

const packer = packers[argv[2] as PackerName]
process.on('message', (order: PackingOrder) => {
  const { items, repeats } = order
  const work = items === 0 ? warmUp(packer, repeats) : runOnce(packer, packingItems(items), repeats)
  void work.then((times) => process.send?.(times ?? {}))
})
