import { hash } from 'node:crypto'
import type { CompileInput, Ledger, Policy } from '../src/core/index.ts'
import { careful, createCompiler } from '../src/compiler/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { markdownTable } from './markdown-table.ts'
import { conversations, meetings, sessions } from './utilisation-cases.ts'
import type { UtilisationCase } from './utilisation-cases.ts'

/*
 * How much of its window a pack uses where more was asked for than there is, of recorded meetings, conversations and
 * sessions of agents: how many packs end between 0.85 and 0.95, and, so that a full window is not mistaken for a good one, how much of
 * what the question was about is shown in it.
 *
 *   npm run -s bench -- utilisation
 */

const tokenizer = memoCounter(encodingTokenizer('o200k_base'))
const compiler = createCompiler({ tokenizer, hash: (text) => hash('sha256', text) })
const band = { least: 0.85, most: 0.95 }

/** Memory may fill a window. */
const base: Policy = {
  ...careful,
  shares: careful.shares.map((share) => (share.section === 'memory' ? { ...share, max: 1 } : share)),
}
const narrow = { prepare: 0.85, compress: 0.95, evict: 0.95 }
const policies: readonly (readonly [string, Policy])[] = [
  ['careful', base],
  ['relief: ladder', { ...base, id: 'ladder', relief: 'ladder' }],
  ['relief: step-pack', { ...base, id: 'step-pack', relief: 'step-pack' }],
  ['ladder, pressure 0.85 to 0.95', { ...base, id: 'narrow-ladder', relief: 'ladder', pressure: narrow }],
  ['step-pack, pressure 0.85 to 0.95', { ...base, id: 'narrow-pack', relief: 'step-pack', pressure: narrow }],
]

interface Sums {
  packs: number
  within: number
  below: number
  refused: number
  goldShown: number
  gold: number
  readonly shares: number[]
}

function measure(cases: readonly UtilisationCase[], policy: Policy, windowTokens: number): Sums {
  const sums: Sums = { packs: 0, within: 0, below: 0, refused: 0, goldShown: 0, gold: 0, shares: [] }
  for (const { requests, gold } of cases) {
    const own = compiler.forConversation()
    let ledger: Ledger | undefined
    for (const request of requests) {
      const input: CompileInput = {
        ...request,
        policy,
        budget: { windowTokens },
        rehydration: true,
        handleKey: 'bench',
      }
      const result = own.compile(ledger === undefined ? input : { ...input, ledger })
      ;({ ledger } = result)
      count(sums, result, gold)
    }
  }
  return sums
}

/** Packs of which less was asked for than there is say nothing. */
function count(sums: Sums, { manifest, pack, budget }: ReturnType<typeof compiler.compile>, gold: ReadonlySet<string>) {
  const available = budget.windowTokens - budget.reserveTokens
  if (manifest.originalTokens + (manifest.frameTokens ?? 0) < available) return
  if (pack === undefined) {
    sums.refused += 1
    return
  }
  sums.packs += 1
  sums.shares.push(manifest.utilisation)
  if (manifest.utilisation < band.least) sums.below += 1
  else if (manifest.utilisation <= band.most) sums.within += 1
  for (const { itemId, rung, originalTokens, tokens } of manifest.decisions) {
    if (!gold.has(itemId)) continue
    sums.gold += originalTokens
    sums.goldShown += rung === 'full' || rung === 'lossless' ? originalTokens : tokens
  }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'n/a' : `${((100 * part) / whole).toFixed(1)}%`
}

function median(values: readonly number[]): string {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
  return middle === undefined ? 'n/a' : middle.toFixed(3)
}

const sets = [
  { set: 'qmsum, evidence', windows: [4_000, 8_000], cases: meetings() },
  { set: 'locomo, memory', windows: [4_000, 12_000], cases: conversations() },
  { set: 'lite_test_a, conversation', windows: [10_000], cases: await sessions('swe-traces/lite_test_a.jsonl', 20) },
  { set: 'airline.dev, conversation', windows: [5_000], cases: await sessions('tau-bench/airline.dev.jsonl', 20) },
]

const rows = sets.flatMap(({ set, windows, cases }) =>
  windows.flatMap((windowTokens) =>
    policies.map(([policy, own]) => {
      const { packs, within, below, refused, shares, gold, goldShown } = measure(cases, own, windowTokens)
      return {
        set,
        'window': String(windowTokens),
        policy,
        'packs': String(packs),
        '0.85 to 0.95': percent(within, packs),
        'below': percent(below, packs),
        'above': percent(packs - within - below, packs),
        'median': median(shares),
        'gold shown': percent(goldShown, gold),
        'refused': String(refused),
      }
    }),
  ),
)
console.log(markdownTable(rows))
