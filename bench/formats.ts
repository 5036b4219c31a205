import { argv } from 'node:process'
import { schemaAtLevel } from '../src/ladders/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { formatCosts, otherForms, structuredSets, tablesIn } from './format-costs.ts'
import { markdownTable } from './markdown-table.ts'
import { checkCalls, checkedLevels } from './schema-calls.ts'
import { definitionOf, spaced, toolCatalogues } from './tool-catalogues.ts'

/*
 * What structured data costs in tokens, by format, beside JSON with an indent of two: every set of recorded data, the tables in them, and tool
 * definitions at every schema level, and recorded calls held against these. A form is asked of what it holds exactly only.
 *
 *   node bench/formats.ts [tools]
 */

const { count } = memoCounter(encodingTokenizer('o200k_base'))

type Formats = Readonly<Record<string, (value: unknown) => string>>

/** Shares, each with the number of values that the form can hold where that is not all of them. */
function shares(values: readonly unknown[]): Readonly<Record<string, string>> {
  const costs = formatCosts(values, count)
  return Object.fromEntries(
    [...otherForms, 'cheapest' as const].map((form) => {
      const cost = costs[form]
      if (cost === undefined) return [form, 'n/a']
      const held = cost.values === values.length ? '' : ` (${cost.values})`
      return [form, `${cost.share.toFixed(2)}${held}`]
    }),
  )
}

function printFormats(): void {
  const sets = structuredSets()
  const rows = sets.map(({ name, values }) => ({ set: name, values: String(values.length), ...shares(values) }))
  console.log(`${markdownTable(rows)}\n`)
  const tables = sets
    .map(({ name, values }) => [name, values.flatMap(tablesIn)] as const)
    .filter(([, found]) => found.length > 0)
    .map(([set, found]) => ({ set, tables: String(found.length), ...shares(found) }))
  console.log(`${markdownTable(tables)}\n`)
}

const levels = ['minify', 'truncate', 'aggressive'] as const
const writings: Formats = {
  compact: (value) => JSON.stringify(value),
  spaced,
  indented: (value) => JSON.stringify(value, null, 2),
}

/** Shares that each level takes away, by catalogue and by how the definitions came. */
function printSchemas(): void {
  const named = toolCatalogues().map(([name, tools]) => [name, tools.map(definitionOf)] as const)
  const all = ['all', named.flatMap(([, definitions]) => definitions)] as const
  const rows = [...named, all].flatMap(([catalogue, definitions]) =>
    Object.entries(writings).map(([written, write]) => {
      const texts = definitions.map(write)
      const whole = texts.reduce((sum, text) => sum + count(text), 0)
      const removed = levels.map((level) => {
        const left = texts.reduce((sum, text) => sum + count(schemaAtLevel(text, level) ?? text), 0)
        return [level, `${(100 * (1 - left / whole)).toFixed(1)}%`] as const
      })
      return { catalogue, written, tokens: String(whole), ...Object.fromEntries(removed) }
    }),
  )
  console.log(markdownTable(rows))
}

/** Whether recorded calls fit the definitions of their tools at every level as they fit the whole. */
function printCalls(): void {
  const catalogues = new Map(toolCatalogues())
  const recorded = [
    ['mcp-traces', 'mcp-traces/traces.dev', 'mcp-traces/catalog'],
    ['tau-bench', 'tau-bench/airline.dev', 'tau-bench'],
  ] as const
  const rows = recorded.map(([set, file, catalogue]) => {
    const { calls, accepted, other } = checkCalls(file, catalogues.get(catalogue) ?? [])
    const verdicts = checkedLevels.map((level) => [
      level,
      `${accepted[level]}${other[level] === 0 ? '' : `, ${other[level]} otherwise`}`,
    ])
    return { set, calls: String(calls), ...(Object.fromEntries(verdicts) as Readonly<Record<string, string>>) }
  })
  console.log(`\n${markdownTable(rows)}`)
}

if (argv[2] !== 'tools') printFormats()
printSchemas()
printCalls()
