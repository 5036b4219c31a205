import type { SimulatedCall } from '../dialect.ts'
import { numberOf } from '../read-json.ts'

/** OpenAI gives no more. */
export const mostChoices = 128

/** How many answers a request asks for. All of them say the same. DeepSeek gives one. */
export function choicesOf({ body, model }: Pick<SimulatedCall, 'body' | 'model'>): number {
  if (model.provider !== 'openai') return 1
  return Math.min(Math.max(1, Math.floor(numberOf(body['n']) ?? 1)), mostChoices)
}
