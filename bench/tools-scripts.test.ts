import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { toolSets } from './tools-data.ts'
import { scriptsTable } from './tools-scripts.ts'
import { drawnSets } from './tools-selection.ts'

const next = toolSets('dev').find(({ name }) => name === 'mcp next tool') ?? { name: '', tools: [], queries: [] }
const spoken = (figure: string): string => figure.replace(/\B(?=(?:\d{3})+$)/g, ',')

it('G-023: what definitions, lines, schemas and clients take is what the page says', () => {
  const page = readFileSync(new URL('../docs/tools-search/scripts.md', import.meta.url), 'utf8')
  const table = scriptsTable(drawnSets(next))
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| mcp'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  expect(rows).toHaveLength(2)
  for (const [, , tools, ...figures] of rows)
    expect(page).toContain(`| mcp-traces, ${tools} drawn | ${figures.filter(Boolean).map(spoken).join(' | ')} |`)
  expect(page).toContain(`the three definitions of search (${/every request: (\d+) tokens/.exec(table)?.[1]})`)
})
