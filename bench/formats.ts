import { encodeColumns, minifyJson, schemaAtLevel } from '../src/ladders/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { jsonLines, observationsOf, traces } from './ladder-corpora.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * What structured data costs in tokens, by format: JSON results and catalogues beside JSON with an indent of two, the
 * tables in them as Markdown and CSV too, and tool definitions at every schema level.
 *
 *   node bench/formats.ts
 */

const { count } = memoCounter(encodingTokenizer('o200k_base'))

const sets: readonly (readonly [name: string, values: readonly unknown[]])[] = [
  ['tau-bench results', jsonResults('tau-bench/airline.dev')],
  ['coding-sessions results', jsonResults('coding-sessions/pi_sessions')],
  ['mcp-traces results', jsonResults('mcp-traces/traces.dev')],
  ['tool catalogue', jsonLines('mcp-traces/catalog')],
  ['API schemas', jsonLines('defi-api/defillama_responses')],
]

function jsonResults(file: string): readonly unknown[] {
  return traces(file)
    .flatMap((trace) => [...observationsOf(trace)])
    .filter(({ text }) => text.length > 40 && minifyJson(text) !== undefined)
    .map(({ text }): unknown => JSON.parse(text))
}

type Formats = Readonly<Record<string, (value: unknown) => string>>

/** As Python's standard library writes it. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replaceAll(/([[{]) | ([\]}])/g, '$1$2')
}

const wholeFormats: Formats = {
  'indented tokens': (value) => JSON.stringify(value, null, 2),
  'spaced': spaced,
  'minified': (value) => JSON.stringify(value),
  'columns or minified': (value) => encodeColumns(JSON.stringify(value)) ?? JSON.stringify(value),
}

type Row = Readonly<Record<string, unknown>>

const tableFormats: Formats = {
  'indented tokens': (value) => JSON.stringify(value, null, 2),
  'minified': (value) => JSON.stringify(value),
  'Markdown table': (value) => markdownOf(value as readonly Row[]),
  'CSV': (value) => csvOf(value as readonly Row[]),
  'columns': (value) => encodeColumns(JSON.stringify(value)) ?? JSON.stringify(value),
}

function cell(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function markdownOf(rows: readonly Row[]): string {
  const escaped = (value: unknown): string => cell(value).replaceAll('|', '\\|').replaceAll('\n', '<br>')
  return markdownTable(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, one]) => [key, escaped(one)]))),
  )
}

function csvOf(rows: readonly Row[]): string {
  const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const names = Object.keys(rows[0] ?? {})
  return [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
    .map((line) => line.map(quoted).join(','))
    .join('\n')
}

/** The arrays of two and more objects with the same keys, wherever they stand. */
function tablesIn(value: unknown): readonly (readonly Row[])[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) && isTable(value) ? [value] : []
  return [...own, ...Object.values(value).flatMap(tablesIn)]
}

function isTable(list: readonly unknown[]): list is readonly Row[] {
  const keys = list.map((row) => (typeof row === 'object' && row !== null ? Object.keys(row).join() : ''))
  return list.length > 1 && keys[0] !== '' && !Array.isArray(list[0]) && keys.every((own) => own === keys[0])
}

/** Tokens of the first format, and of the others as a share of it. */
function costs(values: readonly unknown[], formats: Formats): { readonly [column: string]: string } {
  const names = Object.keys(formats)
  const sums = names.map((name) => values.reduce<number>((sum, value) => sum + count(formats[name]?.(value) ?? ''), 0))
  const [whole = 0] = sums
  return Object.fromEntries(
    names.map((name, at) => [name, at === 0 ? String(whole) : ((sums[at] ?? 0) / whole).toFixed(2)]),
  )
}

function printFormats(): void {
  const rows = sets.map(([set, values]) => ({ set, values: String(values.length), ...costs(values, wholeFormats) }))
  console.log(`${markdownTable(rows)}\n`)
  const tables = sets
    .map(([set, values]) => [set, values.flatMap(tablesIn)] as const)
    .filter(([, found]) => found.length > 0)
    .map(([set, found]) => ({ set, tables: String(found.length), ...costs(found, tableFormats) }))
  console.log(`${markdownTable(tables)}\n`)
}

interface ToolRecord {
  readonly name: string
  readonly description: string
  readonly inputSchema?: unknown
}

const catalogues = ['mcp-catalogs/github_mcp_server', 'mcp-catalogs/docker_mcp_registry', 'mcp-traces/catalog']
const levels = ['minify', 'truncate', 'aggressive'] as const
const writings: Formats = {
  compact: (value) => JSON.stringify(value),
  spaced,
  indented: (value) => JSON.stringify(value, null, 2),
}

function definitionsOf(catalogue: string): readonly unknown[] {
  return (jsonLines(catalogue) as readonly ToolRecord[])
    .filter(({ inputSchema }) => inputSchema !== undefined)
    .map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }))
}

/** Shares that each level takes away, by catalogue and by how the definitions came. */
function printSchemas(): void {
  const named = catalogues.map((name) => [name, definitionsOf(name)] as const)
  const all = ['all three', named.flatMap(([, definitions]) => definitions)] as const
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

printFormats()
printSchemas()
