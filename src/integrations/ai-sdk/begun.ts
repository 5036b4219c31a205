import type { IntegrationOptions, PackedCall, PackedCalls, ShownCall } from '../neutral/index.ts'
import { packedCalls } from '../neutral/index.ts'
import { cacheKeyOf } from './cache-key.ts'
import { readParams } from './read-params.ts'
import type { Content, From, Model, Params } from './types.ts'
import { writeParams } from './write-params.ts'

/** A call that is packed, and how it is sent. */
export interface Begun {
  readonly packed: PackedCall<From, Content>
  /** Asks the provider with what is shown; that it refused is filed. */
  ask<Result>(shown: ShownCall<From>, call: (params: Params) => PromiseLike<Result>): Promise<Result>
}

export type Begin = (params: Params, model: Model) => Promise<Begun>

export function beginner(options: IntegrationOptions): Begin {
  const calls: PackedCalls = packedCalls(options)
  return async (params, model) => {
    const packed = await calls.pack<From, Content>(readParams(params, model.modelId))
    const cacheKey = cacheKeyOf(model)
    return {
      packed,
      async ask(shown, call) {
        try {
          return await call(writeParams(params, shown, cacheKey))
        } catch (error) {
          await packed.refused(error)
          throw error
        }
      },
    }
  }
}
