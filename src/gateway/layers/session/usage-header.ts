import type { Usage } from '../../../core/index.ts'

const names = [
  ['input', 'inputTokens'],
  ['output', 'outputTokens'],
  ['cache-read', 'cacheReadTokens'],
  ['cache-write', 'cacheWriteTokens'],
] as const

/** What all rounds of a turn have used; the reply's own body says what the last one has. Nothing where that is not known. */
export function usageHeader(rounds: number, usage: Usage | undefined): { readonly 'x-prehend-usage'?: string } {
  if (!usage) return {}
  const figures = names.flatMap(([name, of]) => (usage[of] === undefined ? [] : [`${name}=${usage[of]}`]))
  return { 'x-prehend-usage': [`rounds=${rounds}`, ...figures].join(', ') }
}
