import { prehendMiddleware } from '../ai-sdk/index.ts'
import type { IntegrationOptions } from '../neutral/index.ts'
import { packedModel } from './packed-model.ts'

/** What of a processor of Mastra's is here: it is told of every step of an agent's loop, and gives the model for it. */
export interface PrehendProcessor {
  readonly id: 'prehend'
  readonly name: string
  /** Gives the model of a step in place of the one that Mastra would call. */
  processInputStep<Model extends object>(step: { readonly model: Model }): { readonly model: Model }
}

/**
 * Packs every call of a model that an agent of Mastra's makes:
 *
 * ```ts
 * const agent = new Agent({ id: 'reader', name: 'reader', instructions, model, tools, inputProcessors: [prehendProcessor()] })
 * ```
 *
 * Messages, memory and streams of the agent stay as they are, whole: it is the model of the step that is asked for less.
 */
export function prehendProcessor(options: IntegrationOptions = {}): PrehendProcessor {
  const middleware = prehendMiddleware(options)
  const made = new WeakMap<object, object>()
  const packed = (model: object): object => {
    const known = made.get(model) ?? packedModel(model, middleware)
    made.set(model, known)
    // What a step has begun with, the next may begin with, too.
    made.set(known, known)
    return known
  }
  return {
    id: 'prehend',
    name: 'Prehend',
    processInputStep: <Model extends object>({ model }: { readonly model: Model }) => ({
      model: packed(model) as Model,
    }),
  }
}
