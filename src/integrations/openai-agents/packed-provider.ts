import type { ModelProvider } from '@openai/agents-core'
import type { IntegrationOptions } from '../neutral/index.ts'
import { packedCalls } from '../neutral/index.ts'
import { packedModel } from './packed-model.ts'

/**
 * Packs every call of every model that a provider of OpenAI's Agents SDK gives:
 *
 * ```ts
 * const runner = new Runner({ modelProvider: prehendProvider(new OpenAIProvider()) })
 * ```
 */
export function prehendProvider(provider: ModelProvider, options: IntegrationOptions = {}): ModelProvider {
  const calls = packedCalls(options)
  return {
    async getModel(name) {
      const model = await provider.getModel(name)
      return packedModel(model, name ?? options.model ?? (await defaultModel()), calls)
    },
  }
}

async function defaultModel(): Promise<string> {
  const { getDefaultModel } = await import('@openai/agents-core')
  return getDefaultModel()
}
