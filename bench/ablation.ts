import { stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { ablations } from './ablation-variants.ts'
import type { FrontierFigures } from './frontier-figures.ts'
import { frontierSets } from './frontier-sets.ts'
import { frontierWork } from './frontier-work.ts'
import { markdownTable } from './markdown-table.ts'
import { policyChoice } from './policy-choice.ts'
import { percent, ratio } from './share-text.ts'

/*
 * What each idea of a policy is worth: the same sessions with one idea taken away, by the plain rules, on files that no setting was chosen on.
 *
 *   npm run -s bench -- ablation
 */

const help = `Usage: npm run -s bench -- ablation [OPTIONS]

  --policy P      as for frontier; balanced by default
  --set NAME      dev, held-out (deepseek_reasoner_dev), swe or long; repeatable; dev and held-out by default
  --limit N       only the first N sessions of each set; 8 of held-out by default
  --data FOLDER   ../shared/data by default
`

const { values } = parseArgs({
  options: {
    policy: { type: 'string', default: 'balanced' },
    set: { type: 'string', multiple: true },
    limit: { type: 'string' },
    data: { type: 'string', default: '../shared/data' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

interface AblationSet {
  readonly title: string
  readonly files: readonly string[]
  readonly limit?: number
}

const sets: Readonly<Record<string, AblationSet>> = {
  'dev': { title: 'dev', files: frontierSets.dev },
  // One file: all four take an hour.
  'held-out': { title: 'held out', files: ['swe-traces/deepseek_reasoner_dev'], limit: 8 },
  'swe': { title: 'swe (chosen on)', files: frontierSets.swe },
  'long': { title: 'long (chosen on)', files: frontierSets.long },
}

async function figuresOf({ title, files, limit }: AblationSet): Promise<readonly FrontierFigures[]> {
  let done = 0
  const work = {
    rules: 'plain',
    policies: ablations(policyChoice(values.policy)),
    rivals: [],
    files: files.map((name) => `${values.data}/${name}.jsonl`),
    limit: values.limit === undefined ? limit : Number(values.limit),
    windowTokens: undefined,
  } as const
  return frontierWork(work, ({ id }) => {
    done += 1
    stderr.write(`${title}: ${done} sessions done, ${id}\n`)
  })
}

/** Settled all, and how much more that is; then lines and edits in %, and failures hidden. */
function cell({ report }: FrontierFigures, whole: FrontierFigures): string {
  const { settledAllCostRatio: settled, needleLineRecall, editTextRecall, failuresHidden } = report
  const difference = (settled ?? 0) - (whole.report.settledAllCostRatio ?? 0)
  const change = report === whole.report ? '' : ` (${difference < 0 ? '-' : '+'}${Math.abs(difference).toFixed(3)})`
  return `${ratio(settled)}${change}; ${percent(needleLineRecall)} ${percent(editTextRecall)}; ${failuresHidden}`
}

async function main(): Promise<void> {
  const columns = new Map<string, readonly FrontierFigures[]>()
  for (const name of values.set ?? ['dev', 'held-out']) {
    const set = sets[name]
    if (set === undefined) throw new Error(`--set: ${name} is not known. Use some of ${Object.keys(sets).join(', ')}.`)
    const figures = await figuresOf(set)
    columns.set(`${set.title}, ${figures[0]?.sessions.length ?? 0} sessions`, figures)
  }
  const [first = []] = columns.values()
  const rows = first.map(({ strategy }, at) => {
    const cells = [...columns].map(([title, figures]): [string, string] => {
      const [own, whole] = [figures[at], figures[0]]
      return [title, own === undefined || whole === undefined ? 'n/a' : cell(own, whole)]
    })
    return { without: at === 0 ? `(\`${strategy}\` itself)` : strategy, ...Object.fromEntries(cells) }
  })
  stdout.write(`Settled all; lines, edits in %; failures hidden.\n\n${markdownTable(rows)}\n`)
}

if (values.help) stdout.write(help)
else await main()
