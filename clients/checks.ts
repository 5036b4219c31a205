import type { Exchanged } from './recorded.ts'
import type { Played } from './play.ts'
import { savedBy } from './receipts.ts'
import type { ReceiptsOfJob } from './receipts.ts'

/** What came of a client's job without Prehend and with it. */
export interface Outcome {
  /** Requests of the agent with its tools, answered. */
  readonly turns: number
  /** All prompt tokens that the provider read, cached ones and those of hidden rounds among them. */
  readonly tokensWithout: number
  readonly tokensWith: number
  /** Requests that went out shorter than they came. */
  readonly packed: number
  readonly epochs: number
  /** Calls of ours that were answered and that the client is not to see. */
  readonly hiddenCalls: number
  /** Requests before which exchanges of ours could not be put back into what the client had made of them. */
  readonly lost: number
  /** Texts that the model has written into files as it was shown them, shortened, and that the client was given whole. */
  readonly madeWhole: number
  readonly sameFiles: boolean
  readonly sawHidden: boolean
  /** What is not as it is to be; empty where all is well. */
  readonly problems: readonly string[]
}

const leastTurns = 20
/** A file that the job writes. */
const written = 'prehend-demo.md'

/** Of a client that packs its own calls `isInProcess`: hidden calls are among those that it sends, and its output is what it has seen. */
export function outcomeOf(
  without: Played,
  packed: Played,
  { receipts, problems, isInProcess = false }: ReceiptsOfJob & { readonly isInProcess?: boolean },
): Outcome {
  const turns = turnsOf(packed)
  const seen = isInProcess ? [packed.output] : packed.exchanges.map(({ sent, received }) => `${sent}${received}`)
  const facts = {
    turns: isInProcess ? receipts.filter(({ result }) => result?.status === 200).length : turns.length,
    tokensWithout: promptTokens(without),
    tokensWith: promptTokens(packed),
    packed: receipts.filter((receipt) => savedBy(receipt) > 0).length,
    epochs: Math.max(0, ...receipts.map(({ epoch }) => epoch ?? 0)),
    hiddenCalls: receipts.reduce((sum, { result }) => sum + (result?.rehydrations ?? 0), 0),
    lost: receipts.filter(({ result }) => (result?.hiddenLost ?? 0) > 0).length,
    madeWhole: receipts.reduce((sum, { result }) => sum + (result?.markersWritten ?? 0), 0),
    sameFiles: JSON.stringify(without.files) === JSON.stringify(packed.files),
    sawHidden: seen.some((text) => text.includes('rehydrate')),
  }
  const wrong: readonly (readonly [boolean, string])[] = [
    [facts.turns < leastTurns, `${facts.turns} turns, and not ${leastTurns}`],
    [
      facts.turns !== turnsOf(without).length,
      `${turnsOf(without).length} turns without Prehend, ${facts.turns} with it`,
    ],
    [turns.some(({ type }) => !type.startsWith('text/event-stream')), 'not every turn was streamed'],
    [packed.files[written] === undefined, 'no file was written'],
    [!facts.sameFiles, `other files at the end: ${differing(without, packed).join(', ')}`],
    [facts.sawHidden, 'the client saw a call of ours'],
    [isInProcess && !packed.output.includes(written), 'the client does not print the calls that it sees'],
    [facts.hiddenCalls === 0, 'no call of ours was answered'],
    [facts.lost > 0, `what our calls had brought back was lost before ${facts.lost} requests`],
    [facts.madeWhole === 0, 'nothing that was shown shortened was written into a file'],
    [facts.packed === 0, 'nothing was packed'],
    [facts.epochs === 0, 'no epoch was begun'],
    [receipts.length < facts.turns, `${receipts.length} receipts of ${facts.turns} turns`],
  ]
  const ended = [...endOf('without Prehend', without), ...endOf('with Prehend', packed)]
  return { ...facts, problems: [...ended, ...wrong.flatMap(([is, what]) => (is ? [what] : [])), ...problems] }
}

function endOf(how: string, { code, output }: Played): readonly string[] {
  if (code === 0) return []
  return [`${how}, it ${code < 0 ? 'did not end in time' : `ended with ${code}`}:\n${output.slice(-3000)}`]
}

/** What an agent asks beside its work, for a title or whether it is online, has none of its tools. */
function turnsOf({ exchanges }: Played): readonly Exchanged[] {
  return exchanges.filter(({ method, status, sent }) => {
    if (method !== 'POST' || status !== 200 || !sent.startsWith('{')) return false
    const { tools } = JSON.parse(sent) as { readonly tools?: unknown }
    return Array.isArray(tools) && tools.length > 0
  })
}

function promptTokens({ requests }: Played): number {
  return requests.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0)
}

function differing({ files }: Played, other: Played): readonly string[] {
  const paths = [...new Set([...Object.keys(files), ...Object.keys(other.files)])]
  return paths.filter((path) => files[path] !== other.files[path])
}
