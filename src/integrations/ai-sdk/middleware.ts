import type { IntegrationOptions } from '../neutral/index.ts'
import { beginner } from './begun.ts'
import { generate } from './generate.ts'
import { stream } from './stream.ts'
import type { Middleware } from './types.ts'

/**
 * Packs every call of a model of the AI SDK, versions 6 and 7:
 *
 * ```ts
 * import { anthropic } from '@ai-sdk/anthropic'
 * import { wrapLanguageModel } from 'ai'
 * import { prehendMiddleware } from 'prehend/ai-sdk'
 *
 * const model = wrapLanguageModel({ model: anthropic('claude-sonnet-5'), middleware: prehendMiddleware() })
 * console.log(model.modelId)
 * ```
 *
 * One middleware serves any number of conversations. Calls of `rehydrate` are answered here and never seen.
 */
export function prehendMiddleware(options: IntegrationOptions = {}): Middleware {
  const begin = beginner(options)
  return {
    specificationVersion: 'v3',
    wrapGenerate: async ({ params, model }) =>
      generate(await begin(params, model), (packed) => model.doGenerate(packed)),
    wrapStream: async ({ params, model }) => stream(await begin(params, model), (packed) => model.doStream(packed)),
  }
}
