import { stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { policies } from '../src/compiler/index.ts'
import { billingRuleNames } from '../src/inspect/index.ts'
import type { BillingRuleName } from '../src/inspect/index.ts'
import { frontierSetNames, frontierSets } from './frontier-sets.ts'
import type { FrontierSet } from './frontier-sets.ts'
import { billTable, compactionTable, frontierTable, legend, sessionTable } from './frontier-table.ts'
import { frontierWork } from './frontier-work.ts'
import { gateTable } from './gate-table.ts'
import { policyChoice } from './policy-choice.ts'
import { judged } from './policy-gates.ts'
import type { GateSet } from './policy-gates.ts'

/*
 * What policies and rival strategies cost and keep on one set of recorded sessions, by the rules of one provider.
 *
 *   node bench/frontier.ts [OPTIONS]
 */

const help = `Usage: npm run -s bench -- frontier [OPTIONS]

  --set NAME      ${frontierSetNames.join(', ')}; swe unless told
  --rules NAME    ${billingRuleNames.join(', ')}; plain unless told
  --policy P      careful, careful:epochs.patience=.5,epochs.keepFull=8, careful:{"epochs":{"patience":0.5}}, or a policy in
                  JSON; repeatable; careful, balanced and thrifty unless told, as far as they exist
  --rival NAME    a strategy of prehend replay, such as compact-60000-2000, batch-mask-30-10, sliding-window-60000; repeatable
  --no-rivals     policies only
  --limit N       only the first N sessions of each file
  --window N      tokens of the window; a million unless told
  --sessions      a row for every session (always for the long set)
  --json          reports as JSON
  --data FOLDER   ../shared/data unless told
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
  const set = oneOf('--set', values.set, frontierSetNames)
  const rules = oneOf('--rules', values.rules, billingRuleNames)
  const began = performance.now()
  let done = 0
  const figures = await frontierWork(
    {
      rules,
      policies: (values.policy ?? usualPolicies).map(policyChoice),
      rivals: values['no-rivals'] ? [] : (values.rival ?? (values.policy ? [] : usualRivals)),
      files: frontierSets[set].map((name) => `${values.data}/${name}.jsonl`),
      limit: numberOf(values.limit),
      windowTokens: numberOf(values.window),
    },
    ({ id }) => {
      done += 1
      stderr.write(`${seconds(began)} ${set} ${rules}: ${done} sessions done, ${id}\n`)
    },
  )
  stdout.write(values.json ? `${JSON.stringify({ set, rules, figures })}\n` : `${tables(set, rules)}\n`)

  function tables(name: FrontierSet, rule: BillingRuleName): string {
    const title = `${name}, ${rule}, ${done} sessions, ${seconds(began)}`
    const bySession = values.sessions || name === 'long' ? [sessionTable(figures)] : []
    const byCompactions = compactionTable(figures) ?? []
    const gates = gatesOf(name, rule)
    const all = [frontierTable(figures), billTable(figures), byCompactions, bySession, gates, legend].flat()
    return [title, ...all].join('\n\n')
  }

  function gatesOf(name: FrontierSet, rule: BillingRuleName): readonly string[] {
    const rows = figures.map((own) => {
      const policy = own.strategy.split(':')[0] ?? ''
      return [own.strategy, judged(own, { policy, set: gateSetOf(name), rules: rule })] as const
    })
    return rows.some(([, results]) => results.length > 0) ? [gateTable(rows)] : []
  }
}

/** Gates know coding runs by one name. */
function gateSetOf(set: FrontierSet): GateSet {
  return set === 'held-out' || set === 'dev' ? 'swe' : set
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(0)} s`
}

function oneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value)
  if (found !== undefined) return found
  throw new Error(`${option}: ${value} is not one of ${names.join(', ')}`)
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

if (values.help) stdout.write(help)
else await main()
