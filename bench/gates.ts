import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { stderr, stdout } from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { policies } from '../src/compiler/index.ts'
import { gatedPolicies, gatedRules, gatedSets, ruleNames } from './gate-figures.ts'
import type { GateFigures, GateWork, RuleName } from './gate-figures.ts'
import { gateName, judgedCell } from './gate-table.ts'
import { markdownTable } from './markdown-table.ts'
import { judged } from './policy-gates.ts'
import type { GateSet, Judged } from './policy-gates.ts'
import { percent, ratio } from './share-text.ts'

/*
 * What policies with gates cost and keep on all recorded and made sessions by the rules of every provider, and whether their gates hold by
 * the four that are asked for.
 *
 *   node bench/gates.ts [--set swe|long|mcp|airline|made] [--rules NAME] [--policy NAME] [--data FOLDER]
 */

const { values } = parseArgs({
  options: {
    set: { type: 'string', multiple: true },
    rules: { type: 'string', multiple: true },
    policy: { type: 'string', multiple: true },
    data: { type: 'string', default: '../shared/data' },
  },
})

const rules = ruleNames.filter((rule) => values.rules === undefined || values.rules.includes(rule))
const names = gatedPolicies.filter((name) => values.policy?.includes(name) ?? Object.hasOwn(policies, name))
const sets = gatedSets.filter(
  ([name, set]) => values.set === undefined || values.set.includes(set) || values.set.includes(name),
)

async function figuresBy(rule: RuleName): Promise<readonly GateFigures[]> {
  const work: GateWork = { rule, data: values.data, policies: names, sets: sets.map(([name]) => name) }
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('gates.child.ts', import.meta.url)), JSON.stringify(work)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = (await text(child.stdout)).split('\n').filter((line) => line !== '')
  stderr.write(`${rule}\n`)
  return lines.map((line) => JSON.parse(line) as GateFigures)
}

/** So many children at a time as there are processors. */
async function allFigures(): Promise<readonly GateFigures[]> {
  const waiting = [...rules]
  const found: GateFigures[] = []
  const work = async (): Promise<void> => {
    for (let rule = waiting.shift(); rule !== undefined; rule = waiting.shift()) found.push(...(await figuresBy(rule)))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return found
}

function cell({ report }: GateFigures): string {
  const { costRatio, settledAllCostRatio, worstTraceCostRatio, needleLineRecall, editTextRecall } = report
  const money = [costRatio, settledAllCostRatio, worstTraceCostRatio].map(ratio).join(' ')
  return `${money}; ${percent(needleLineRecall)} ${percent(editTextRecall)}`
}

function costTable(figures: readonly GateFigures[]): string {
  const rows = rules.flatMap((rule) =>
    names.map((policy) => {
      const own = figures.filter((one) => one.rule === rule && one.policy === policy)
      const cells = sets.map(([set]): [string, string] => {
        const found = own.find((one) => one.set === set)
        return [set, found === undefined ? 'n/a' : cell(found)]
      })
      return { rule, policy: `\`${policy}\``, ...Object.fromEntries(cells) }
    }),
  )
  return markdownTable(rows)
}

interface JudgedFigures {
  readonly rule: RuleName
  readonly policy: string
  readonly name: string
  readonly results: readonly Judged[]
}

function judgedFigures(figures: readonly GateFigures[]): readonly JudgedFigures[] {
  const gated = gatedRules.filter((rule) => rules.includes(rule))
  return names.flatMap((policy) =>
    sets.flatMap(([name, set]: readonly [string, GateSet]) =>
      gated.flatMap((rule) => {
        const own = figures.find((one) => one.rule === rule && one.policy === policy && one.set === name)
        return own === undefined ? [] : [{ rule, policy, name, results: judged(own, { policy, set, rules: rule }) }]
      }),
    ),
  )
}

/** One row for each gate of a policy and set, with a column for each of the rules. */
function gateTable(all: readonly JudgedFigures[]): string {
  const places = Map.groupBy(all, ({ policy, name }) => `${policy} ${name}`)
  return markdownTable(
    [...places.values()].flatMap((byRule) => {
      const asked = new Map(byRule.flatMap(({ results }) => results).map((one) => [`${one.asked} ${one.isAim}`, one]))
      return [...asked.values()].map(({ asked: gate, isAim }) => ({
        policy: `\`${byRule[0]?.policy ?? ''}\``,
        set: byRule[0]?.name ?? '',
        gate: gateName({ asked: gate, isAim }),
        ...Object.fromEntries(
          byRule.map(({ rule, results }) => [
            rule,
            judgedCell(results.find((one) => one.asked === gate && one.isAim === isAim)),
          ]),
        ),
      }))
    }),
  )
}

const figures = await allFigures()
const all = judgedFigures(figures)
const missed = all.flatMap(({ results }) => results.filter(({ met, isAim }) => !met && !isAim))
stdout.write(`Cost, settled all, worst; lines, edits in %.\n\n${costTable(figures)}\n\n`)
stdout.write(`Gates and aims; what is missed stands in bold.\n\n${gateTable(all)}\n\n`)
stdout.write(`${missed.length} gates missed.\n`)
process.exitCode = missed.length === 0 ? 0 : 1
