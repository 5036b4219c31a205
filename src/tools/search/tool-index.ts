import { compareCodeUnits } from '../../core/index.ts'
import { passageIndex, termsOf } from '../../knowledge/index.ts'
import type { FoundTool, SearchedTool, ToolIndex } from './searched-tool.ts'

const usualLimit = 20

/** A catalogue by the words of its tools. The order in which tools are given changes nothing. */
export function toolIndex(tools: readonly SearchedTool[]): ToolIndex {
  const sorted = tools.toSorted((one, other) => compareCodeUnits(one.id, other.id))
  const index = passageIndex(sorted.map((tool) => ({ text: textOf(tool) })))
  return {
    size: sorted.length,
    search(query, { limit = usualLimit, quality = () => 1 } = {}) {
      const weights = new Map(termsOf(query).map((term) => [term, 1]))
      const scores = index.score(weights, 0)
      const found = sorted.flatMap(({ id }, at): FoundTool[] => {
        const score = (scores[at] ?? 0) * quality(id)
        return score > 0 ? [{ id, score }] : []
      })
      return found.toSorted((one, other) => other.score - one.score).slice(0, limit)
    },
  }
}

function textOf({ name, description, pastQueries = [] }: SearchedTool): string {
  return [name.replaceAll(/[^\p{L}\p{N}]+/gu, ' '), description, ...pastQueries].join(' ')
}
