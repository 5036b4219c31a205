import { hanging } from './wrap-text.ts'
import type { Serving } from './open-serving.ts'

/** Where the gateway is and what stands behind it. */
export function servingLines({ url, providers, config }: Serving, columns?: number): readonly string[] {
  const behind =
    providers.length === 0
      ? 'the simulated provider (no key is set; set OPENAI_API_KEY, ANTHROPIC_API_KEY or DEEPSEEK_API_KEY)'
      : `${providers.join(', ')}; the simulated provider for all others`
  return [
    `Gateway on ${url}, mode ${config.mode}, policy ${config.policy}`,
    `  behind it: ${behind}`,
    `  OpenAI base URL ${url}/v1, Anthropic base URL ${url}`,
    `  receipts ${url}/v1/packs, metrics ${url}/metrics`,
  ].map((line) => hanging(line, columns))
}
