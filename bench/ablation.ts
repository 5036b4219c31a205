import { hash } from 'node:crypto'
import { careful, createCompiler } from '../src/compiler/index.ts'
import type { EpochPolicy, LadderContext, LadderMaker, Policy } from '../src/core/index.ts'
import type { ConversationContext } from '../src/core/index.ts'
import { countingOf, passThrough, plainRules, prehend, readTrace, replay } from '../src/inspect/index.ts'
import type { Strategy, StrategyReport } from '../src/inspect/index.ts'
import { ladderFor } from '../src/ladders/index.ts'
import { markdownTable } from './markdown-table.ts'
import { percent, ratio } from './share-text.ts'

/*
 * What each idea of `careful` is worth: the same sessions with one idea taken away, by the plain rules. The weights of names and all
 * thresholds were chosen on `lite_test_a`; the other files were looked at less or not at all, so they stand apart.
 *
 *   node bench/ablation.ts [DATA]
 */

const data = process.argv[2] ?? '../shared/data'
const sets: readonly (readonly [name: string, files: readonly string[]])[] = [
  ['coding runs, chosen on', ['swe-traces/lite_test_a']],
  ['coding runs, others', ['swe-traces/deepseek_chat_dev', 'swe-traces/deepseek_reasoner_dev']],
  ['long sessions', ['coding-sessions/pi_sessions']],
  ['tool tasks', ['mcp-traces/traces.dev']],
]

/** One idea taken away: from the policy, or from what a ladder is told. */
interface Variant {
  readonly name: string
  readonly epochs?: Partial<EpochPolicy>
  told?(conversation: ConversationContext): ConversationContext
}

const variants: readonly Variant[] = [
  { name: '`careful`' },
  { name: 'no references to repeated lines', told: ({ shownLines: _lines, ...rest }) => rest },
  { name: 'usual ends stay', told: ({ usualEnds: _ends, ...rest }) => rest },
  { name: 'no epochs: only what costs nothing', epochs: { lowestRung: 'lossless' } },
  { name: 'no loans', epochs: { loanShare: 0 } },
  { name: 'own calls stay whole', epochs: { ownCalls: 'whole' } },
  { name: 'names do not age', told: (conversation) => ({ ...conversation, age: 0 }) },
  {
    name: 'views of files at work as others',
    told: ({ everyLine: _worth, ...rest }) => rest,
  },
  { name: 'of failures repeated all are told', told: ({ askedAgain: _asked, ...rest }) => rest },
  { name: 'an epoch as soon as it pays', epochs: { patience: 0 } },
  { name: 'nothing held back for rehydration', epochs: { reserveCalls: 0 } },
  { name: 'protection: newest result only', epochs: { keepFull: 1, keepTokens: 0 } },
  { name: 'failures fold as others do', epochs: { keepErrors: 0 } },
  { name: 'recall: a line must be worth 4 times as much', epochs: { lineWorth: careful.epochs.lineWorth * 4 } },
  { name: 'recall: no line is kept', epochs: { lineWorth: 1 } },
]

function ladders({ told }: Variant): LadderMaker {
  if (told === undefined) return ladderFor
  return (item, context: LadderContext) => {
    const { conversation } = context
    return ladderFor(item, conversation === undefined ? context : { ...context, conversation: told(conversation) })
  }
}

const rules = plainRules({})
const counting = countingOf(rules)

function strategyOf(variant: Variant): Strategy {
  const policy: Policy = { ...careful, epochs: { ...careful.epochs, ...variant.epochs } }
  return prehend({
    name: variant.name,
    policy,
    prices: rules.prices,
    openCompiler: () =>
      createCompiler({
        tokenizer: rules.tokenizer,
        hash: (text) => hash('sha256', text, 'hex'),
        ladders: ladders(variant),
      }),
    windowTokens: 1_000_000,
    chargeTool: 'always',
  })
}

async function reportsOf(files: readonly string[]): Promise<readonly StrategyReport[]> {
  const run = replay({
    strategies: [passThrough(), ...variants.map(strategyOf)],
    provider: rules.name,
    ...counting,
    openCache: rules.openCache,
    clock: () => performance.now(),
    outputPrice: rules.outputPrice,
    ...(rules.inputDollars === undefined ? {} : { inputDollars: rules.inputDollars }),
  })
  for (const file of files) for await (const trace of readTrace(`${data}/${file}.jsonl`, {})) run.add(trace)
  return run.report().strategies.slice(1)
}

const figures = ({ costRatio, settledAllCostRatio, needleLineRecall, editTextRecall }: StrategyReport): string =>
  `${ratio(costRatio)} ${ratio(settledAllCostRatio)}; ${percent(needleLineRecall)} ${percent(editTextRecall)}`

const columns: (readonly StrategyReport[])[] = []
for (const [name, files] of sets) {
  process.stderr.write(`${name}\n`)
  columns.push(await reportsOf(files))
}
const rows = variants.map(({ name }, index) => {
  const cells = sets.map(([set], at): [string, string] => {
    const report = columns[at]?.[index]
    return [set, report === undefined ? 'n/a' : figures(report)]
  })
  return Object.fromEntries([['without', name], ...cells])
})
process.stdout.write(`Cost, settled all; lines, edits in %.\n\n${markdownTable(rows)}\n`)
