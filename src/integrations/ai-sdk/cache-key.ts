/** Under which name of the provider options a marker for the prompt cache stands. */
export type CacheKey = 'anthropic' | 'openrouter'

/** Only Claude's models take markers, and not every provider hands them on. */
export function cacheKeyOf(model: { readonly provider: string; readonly modelId: string }): CacheKey | undefined {
  if (!/claude/i.test(model.modelId)) return undefined
  if (/openrouter/i.test(model.provider)) return 'openrouter'
  return /bedrock/i.test(model.provider) && !/anthropic/i.test(model.provider) ? undefined : 'anthropic'
}
