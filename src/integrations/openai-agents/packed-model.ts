import type { IntegrationOptions, PackedCalls, ShownCall } from '../neutral/index.ts'
import { packedCalls } from '../neutral/index.ts'
import { begin } from './begun.ts'
import type { Begun } from './begun.ts'
import { readReply, writeOutput } from './replies.ts'
import { streamed } from './streamed.ts'
import type { From, Model, ModelRequest, ModelResponse, StreamEvent } from './types.ts'

/** A model of the Agents SDK each of whose calls is packed. */
export function packedModel(model: Model, name: string, calls: PackedCalls): Model {
  return {
    ...(model.supportsPromptModelSelection !== undefined && {
      supportsPromptModelSelection: model.supportsPromptModelSelection,
    }),
    ...(model.getRetryAdvice && { getRetryAdvice: (asked) => model.getRetryAdvice?.(asked) }),
    async getResponse(request) {
      return isElsewhere(request) ? model.getResponse(request) : respond(model, await begin(calls, request, name))
    },
    async *getStreamedResponse(request): AsyncGenerator<StreamEvent, void, undefined> {
      if (isElsewhere(request)) yield* model.getStreamedResponse(request)
      else yield* streamed(await begin(calls, request, name), (packed) => model.getStreamedResponse(packed))
    },
  }
}

/** Who makes a model from its options alone has one session for all of its conversations, too. */
export function prehendModel(model: Model, options: IntegrationOptions & { readonly model: string }): Model {
  return packedModel(model, options.model, packedCalls(options))
}

/** The provider keeps the conversation, and the request has only what is new of it. */
function isElsewhere({ previousResponseId, conversationId }: ModelRequest): boolean {
  return previousResponseId !== undefined || conversationId !== undefined
}

async function respond(model: Model, { packed, requestOf }: Begun): Promise<ModelResponse> {
  const ask = async (shown: ShownCall<From>): Promise<ModelResponse> => {
    try {
      return await model.getResponse(requestOf(shown))
    } catch (error) {
      await packed.refused(error)
      throw error
    }
  }
  let response = await ask(packed.shown)
  for (;;) {
    const reply = readReply(response.output, response.usage)
    const again = await packed.next(reply)
    if (again === undefined) return { ...response, output: writeOutput(await packed.answered(reply)) }
    response = await ask(again)
  }
}
