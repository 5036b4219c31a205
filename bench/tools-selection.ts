import { encodingTokenizer } from '../src/tokens/index.ts'
import type { SearchedTool } from '../src/tools/index.ts'
import { selectTools, toolIndex } from '../src/tools/index.ts'
import { markdownTable } from './markdown-table.ts'
import { percent } from './share-text.ts'
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
