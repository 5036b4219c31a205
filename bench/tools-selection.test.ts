import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { executeToolDefinition, searchToolsDefinition, toolSchemaDefinition } from '../src/tools/index.ts'
import type { SearchedTool } from '../src/tools/index.ts'
import { toolSets } from './tools-data.ts'
import { drawnSets, selectionTable, tokensOf } from './tools-selection.ts'

const next = toolSets('dev').find(({ name }) => name === 'mcp next tool') ?? { name: '', tools: [], queries: [] }
const drawn = drawnSets(next)
const page = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8')
const sum = (tools: readonly SearchedTool[]): number =>
  tokensOf(tools)
    .values()
    .reduce((total, own) => total + own, 0)
const spoken = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

it('G-022, N-04, B-10: definitions of 58 and of 120 tools, before and after selection, are what the page says by catalogue and cap', () => {
  const text = page('tools-search.md')
  expect(text).toContain('within `maxTools` (12) and `maxTokens` (8,000)')
  const rows = selectionTable(drawn)
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()))
  expect(rows).toHaveLength(2)
  for (const [, name = '', tools, whole, , offered, share = '', needed = ''] of rows) {
    const [, count] = /, (\d+) queries/.exec(name) ?? []
    const figures = [spoken(Number(whole)), spoken(Number(offered)), share.replace('%', ''), needed.replace('%', '')]
    expect(text).toContain(`| mcp-traces, ${tools} drawn, next tool (${count} queries) | ${figures.join(' | ')} |`)
  }
})

it('N-04, G-027: with meta-tools, the definitions of 58 and of 120 tools shrink by what the page says', () => {
  const meta = [searchToolsDefinition(''), toolSchemaDefinition, executeToolDefinition].map((tool) => {
    return { ...tool, id: tool.name }
  })
  const tokens = sum(meta)
  const text = page('client-tools.md')
  expect(text).toContain(`The three definitions take ${tokens} tokens`)
  const [few, many] = drawn.map(({ tools }) => sum(tools))
  const about = (count = 0): string => spoken(Math.round(count / 100) * 100)
  const share = (count = 1): string => `${((100 * tokens) / count).toFixed(1)}%`
  expect(text).toContain(`Of a catalogue of 58 tools (${about(few)} tokens) ${tokens} are ${share(few)}`)
  expect(text).toContain(`of one of 120 (${about(many)} tokens) ${share(many)}`)
  // A catalogue of this many tokens shrinks by as much as is claimed for large ones.
  expect(1 - tokens / 6_800).toBeGreaterThanOrEqual(0.975)
})
