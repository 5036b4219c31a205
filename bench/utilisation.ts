import type { Policy } from '../src/core/index.ts'
import { careful } from '../src/compiler/index.ts'
import { markdownTable } from './markdown-table.ts'
import { conversations, meetings, recorded, sessions } from './utilisation-cases.ts'
import { namedBand, utilisationOf } from './utilisation-measures.ts'

/*
 * How much of its window a pack uses where more was asked for than there is, of recorded meetings, conversations and
 * sessions of agents: how many packs end between 0.85 and 0.95, and, so that a full window is not mistaken for a good one, how much of
 * what the question was about is shown in it.
 *
 *   npm run -s bench -- utilisation
 */

/** Memory may fill a window. */
const base: Policy = {
  ...careful,
  shares: careful.shares.map((share) => (share.section === 'memory' ? { ...share, max: 1 } : share)),
}
const policies: readonly (readonly [string, Policy])[] = [
  ['careful', base],
  ['relief: ladder', { ...base, id: 'ladder', relief: 'ladder' }],
  ['relief: step-pack', { ...base, id: 'step-pack', relief: 'step-pack' }],
  ['ladder, pressure 0.85 to 0.95', { ...base, id: 'narrow-ladder', relief: 'ladder', pressure: namedBand }],
]

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
  {
    set: 'lite_test_a, conversation',
    windows: [10_000],
    cases: await sessions(recorded('swe-traces/lite_test_a.jsonl'), 20),
  },
  {
    set: 'airline.dev, conversation',
    windows: [5_000],
    cases: await sessions(recorded('tau-bench/airline.dev.jsonl'), 20),
  },
]

const rows = sets.flatMap(({ set, windows, cases }) =>
  windows.flatMap((windowTokens) =>
    policies.map(([policy, own]) => {
      const { packs, within, below, refused, shares, gold, goldShown } = utilisationOf(cases, own, windowTokens)
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
