import { passageIndex, termsOf } from '../src/knowledge/index.ts'
import type { SearchedTool, ToolIndex } from '../src/tools/index.ts'

/** BM25 over name and description as one text: what the search is measured against. */
export function plainIndex(tools: readonly SearchedTool[]): ToolIndex {
  const index = passageIndex(
    tools.map(({ name, description, pastQueries = [] }) => ({
      text: [name.replaceAll(/[^\p{L}\p{N}]+/gu, ' '), description, ...pastQueries].join(' '),
    })),
  )
  return {
    size: tools.length,
    search(query, { limit = 20 } = {}) {
      const scores = index.score(new Map(termsOf(query).map((term) => [term, 1])), 0)
      return tools
        .map(({ id }, at) => ({ id, score: scores[at] ?? 0, fit: scores[at] ?? 0 }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, limit)
    },
  }
}
