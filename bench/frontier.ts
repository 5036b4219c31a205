import { stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { policies } from '../src/compiler/index.ts'
import { invalidInput } from '../src/core/index.ts'
import { billingRuleNames } from '../src/inspect/index.ts'
import type { BillingRuleName } from '../src/inspect/index.ts'
import type { FrontierFigures, FrontierWork } from './frontier-figures.ts'
import { frontierSetNames, frontierSets, gateSetOf } from './frontier-sets.ts'
import type { FrontierSet } from './frontier-sets.ts'
import { billTable, compactionTable, frontierTable, legend, sessionTable, usesText } from './frontier-table.ts'
import { frontierWork } from './frontier-work.ts'
import { gateTable } from './gate-table.ts'
import { markdownTable } from './markdown-table.ts'
import type { FrontierRun } from './page-tables.ts'
import { policyChoice } from './policy-choice.ts'
import { judged } from './policy-gates.ts'
import { ratio } from './share-text.ts'

/*
 * What policies and rival strategies cost and keep on one set of recorded sessions, by the rules of one provider.
 *
 *   node bench/frontier.ts [OPTIONS]
 */

const help = `Usage: npm run -s bench -- frontier [OPTIONS]

  --set NAMES     ${frontierSetNames.join(', ')}, with commas between; swe by default
  --rules NAMES   ${billingRuleNames.join(', ')}; plain by default
  --policy P      careful, careful:epochs.patience=.5,epochs.keepFull=8, careful:{"epochs":{"patience":0.5}}, or a policy in
                  JSON; repeatable; careful, balanced and thrifty by default, as far as they exist
  --rival NAME    a strategy of prehend replay, such as compact-60000-2000, batch-mask-30-10, sliding-window-60000; repeatable
  --no-rivals     policies only
  --limit N       only the first N sessions of each file
  --window N      tokens of the window; a million by default
  --short         only the main table and the gates
  --sessions      a row for every session (always for the long set)
  --json          reports as JSON, a line for each set and rule
  --data FOLDER   ../shared/data by default
`

const { values } = parseArgs({
  options: {
    'set': { type: 'string', default: 'swe' },
    'rules': { type: 'string', default: 'plain' },
    'policy': { type: 'string', multiple: true },
    'rival': { type: 'string', multiple: true },
    'no-rivals': { type: 'boolean', default: false },
    'limit': { type: 'string' },
    'window': { type: 'string' },
    'short': { type: 'boolean', default: false },
    'sessions': { type: 'boolean', default: false },
    'json': { type: 'boolean', default: false },
    'data': { type: 'string', default: '../shared/data' },
    'help': { type: 'boolean', short: 'h', default: false },
  },
})

/** Compaction by the provider, masking in batches, and a sliding window. */
const usualRivals = ['compact-60000-2000', 'batch-mask-30-10', 'sliding-window-60000']
const usualPolicies = ['careful', 'balanced', 'thrifty'].filter((name) => Object.hasOwn(policies, name))

async function main(): Promise<void> {
  const sets = listOf('--set', values.set, frontierSetNames)
  const rules = listOf('--rules', values.rules, billingRuleNames)
  const done: FrontierRun[] = []
  for (const set of sets)
    for (const rule of rules) {
      const began = performance.now()
      const run = { set, rules: rule, figures: await figuresOf(set, rule) }
      done.push(run)
      stdout.write(values.json ? `${JSON.stringify(run)}\n` : `${tables(run, seconds(began))}\n\n`)
    }
  if (!values.json) stdout.write(`${done.length > 1 ? `${overview(done)}\n\n` : ''}${legend}\n`)
}

function figuresOf(set: FrontierSet, rules: BillingRuleName): Promise<readonly FrontierFigures[]> {
  const began = performance.now()
  let done = 0
  const work: FrontierWork = {
    rules,
    policies: (values.policy ?? usualPolicies).map(policyChoice),
    rivals: values['no-rivals'] ? [] : (values.rival ?? (values.policy ? [] : usualRivals)),
    files: frontierSets[set].map((name) => `${values.data}/${name}.jsonl`),
    limit: numberOf(values.limit),
    windowTokens: numberOf(values.window),
  }
  return frontierWork(work, ({ id }) => {
    done += 1
    stderr.write(`${seconds(began)} ${set} ${rules}: ${done} sessions done, ${id}\n`)
  })
}

function tables(run: FrontierRun, time: string): string {
  const { set, rules, figures } = run
  const title = `${set}, ${rules}, ${figures[0]?.sessions.length ?? 0} sessions, ${time}`
  if (values.short) return [title, frontierTable(figures), ...gatesOf(run)].join('\n\n')
  const bySession = values.sessions || set === 'long' ? [sessionTable(figures)] : []
  const uses = usesText(figures)
  const all = [
    frontierTable(figures),
    uses,
    billTable(figures),
    compactionTable(figures) ?? [],
    bySession,
    gatesOf(run),
  ]
  return [title, ...all.flat()].join('\n\n')
}

/** Changes of a policy are held to the gates of that policy. */
function gatesOf({ set, rules, figures }: FrontierRun): readonly string[] {
  const rows = figures.map((own) => {
    const policy = own.strategy.split(':')[0] ?? ''
    return [own.strategy, judged(own, { policy, set: gateSetOf(set), rules })] as const
  })
  return rows.some(([, results]) => results.length > 0) ? [gateTable(rows)] : []
}

/** Cost and settled all of each strategy, with a column for each set and rule. */
function overview(runs: readonly FrontierRun[]): string {
  const strategies = runs[0]?.figures.map(({ strategy }) => strategy) ?? []
  return markdownTable(
    strategies.map((strategy, index) => {
      const cells = runs.map(({ set, rules, figures }): [string, string] => {
        const report = figures[index]?.report
        return [`${set} ${rules}`, `${ratio(report?.costRatio ?? null)} ${ratio(report?.settledAllCostRatio ?? null)}`]
      })
      return { 'cost, settled all': strategy, ...Object.fromEntries(cells) }
    }),
  )
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(0)} s`
}

/** Names with commas between them. */
function listOf<Name extends string>(option: string, value: string, names: readonly Name[]): readonly Name[] {
  return value.split(',').map((one) => {
    const found = names.find((name) => name === one)
    if (found !== undefined) return found
    throw invalidInput(option, `${one} is not known`, `Use some of ${names.join(', ')}`)
  })
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

if (values.help) stdout.write(help)
else await main()
