import { sha256 } from '../../host/index.ts'

/**
 * The `prompt_cache_key` for a session: OpenAI routes by it and, from GPT-5.6 on, matches it together with the prefix.
 * One key per session keeps each under the rate at which a key overflows; the text does not tell whose it is.
 */
export function promptCacheKey(tenant: string, sessionKey: string): string {
  return `prehend-${sha256(JSON.stringify([tenant, sessionKey])).slice(0, 32)}`
}
