import type { Usage } from '../../core/index.ts'

/** Adds up what several replies used; what one of them does not report is not known of the sum either. */
export function sumUsage(parts: readonly (Usage | undefined)[]): Usage | undefined {
  const [first, ...rest] = parts
  if (!first) return undefined
  let sum: Usage = first
  for (const usage of rest) {
    if (!usage) return undefined
    sum = addUsage(sum, usage)
  }
  return sum
}

const optionalCounts = ['cacheReadTokens', 'cacheWriteTokens', 'cacheWriteLongTokens', 'reasoningTokens'] as const

function addUsage(a: Usage, b: Usage): Usage {
  const optional = optionalCounts.flatMap((name) => {
    const [left, right] = [a[name], b[name]]
    return left === undefined || right === undefined ? [] : [[name, left + right]]
  })
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(Object.fromEntries(optional) as Partial<Usage>),
  }
}
