import { isJsonObject } from '../../core/index.ts'
import type { JsonValue } from '../../core/index.ts'

/** Most bodies name no number, and are not read again for it. */
const named = /"(?:n|candidateCount)"\s*:/

/** How many answers a body asks for, each as long as one may be: `n` of Chat Completions, `candidateCount` of Gemini. */
export function choicesOf(body: string | Buffer | undefined): number {
  const text = body?.toString() ?? ''
  if (!named.test(text)) return 1
  try {
    const whole = JSON.parse(text) as JsonValue
    const { n, generationConfig } = isJsonObject(whole) ? whole : {}
    const count = isJsonObject(generationConfig) ? generationConfig['candidateCount'] : n
    return typeof count === 'number' && count > 1 ? Math.ceil(count) : 1
  } catch {
    return 1
  }
}
