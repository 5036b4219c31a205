import { encodingTokenizer } from '../src/tokens/index.ts'
import type { SearchedTool } from '../src/tools/index.ts'
import { selectTools, toolIndex } from '../src/tools/index.ts'
import { markdownTable } from './markdown-table.ts'
import { percent } from './share-text.ts'
import { chancesOf } from './seeded-random.ts'
import type { ToolSet } from './tools-data.ts'

/** Tokens of each definition, as a list of functions holds it. */
export function tokensOf(tools: readonly SearchedTool[]): ReadonlyMap<string, number> {
  const { count } = encodingTokenizer('o200k_base')
  return new Map(
    tools.map(({ id, name, description, schema }) => [
      id,
      count(JSON.stringify({ type: 'function', function: { name, description, parameters: schema } })),
    ]),
  )
}

/** What a request still offers of what it needs, and what the definitions take, by 12 tools and 8,000 tokens (N-04, N-05). */
export function selectionTable(sets: readonly ToolSet[]): string {
  return markdownTable(
    sets.map(({ name, tools, queries }) => {
      const tokens = tokensOf(tools)
      const index = toolIndex(tools)
      const whole = tokens.values().reduce((sum, own) => sum + own, 0)
      const rows = queries.map(({ text, gold }) => {
        const selected = selectTools({ tokens, core: [], found: index.search(text) })
        const offered = new Set(selected.ids)
        const kept = gold.filter((ids) => ids.some((id) => offered.has(id))).length / gold.length
        return { kept, tokens: selected.tokens, tools: offered.size }
      })
      const mean = (figure: 'kept' | 'tokens' | 'tools'): number =>
        rows.reduce((sum, row) => sum + row[figure], 0) / rows.length
      return {
        'set': name,
        'tools': String(tools.length),
        'tokens of all': String(whole),
        'tools offered': mean('tools').toFixed(1),
        'tokens offered': mean('tokens').toFixed(0),
        'share of tokens': percent(mean('tokens') / whole),
        'needed tools offered': percent(mean('kept')),
      }
    }),
  )
}

/** Catalogues of 58 and 120 tools of mcp-traces, drawn by seed 1, with the steps whose tool is among them. */
export function drawnSets({ tools, queries }: ToolSet): readonly ToolSet[] {
  const { random } = chancesOf(1)
  const shuffled = tools
    .map((tool) => ({ tool, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ tool }) => tool)
  return [58, 120].map((count) => {
    const drawn = shuffled.slice(0, count)
    const ids = new Set(drawn.map(({ id }) => id))
    const known = queries.filter(({ gold }) => gold.every((own) => own.some((id) => ids.has(id))))
    return { name: `mcp next tool, ${count} drawn, ${known.length} queries`, tools: drawn, queries: known }
  })
}
