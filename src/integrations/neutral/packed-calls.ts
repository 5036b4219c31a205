import type { JsonObject } from '../../core/index.ts'
import { perObject } from '../../core/index.ts'
import { callBody } from './call-body.ts'
import type { CallBody } from './call-body.ts'
import type { AnsweredPart, ModelCall, ModelReply, ShownCall } from './model-call.ts'
import { packedBodies, statusOf } from './packed-bodies.ts'
import type { IntegrationOptions, PackedBody } from './packed-bodies.ts'
import { replyBodies } from './reply-body.ts'
import { shownCall } from './shown-call.ts'

/** One call of a model, from what is sent to what the caller sees. */
export interface PackedCall<From, ReplyFrom> {
  readonly shown: ShownCall<From>
  /** The call to make next where the model asked for nothing but what was left out. */
  next(reply: ModelReply<ReplyFrom>): Promise<ShownCall<From> | undefined>
  /** Files the last reply; gives the parts of all rounds that the caller should see. */
  answered(reply: ModelReply<ReplyFrom>): Promise<readonly AnsweredPart<ReplyFrom>[]>
  /** The provider refused, or never saw it. */
  refused(error: unknown): Promise<void>
}

export interface PackedCalls {
  pack<From, ReplyFrom>(call: ModelCall<From>): Promise<PackedCall<From, ReplyFrom>>
}

/** Any number of conversations, each told by how it begins unless the options name the session. */
export function packedCalls(options: IntegrationOptions): PackedCalls {
  const bodies = packedBodies(options)
  return {
    async pack<From, ReplyFrom>(call: ModelCall<From>): Promise<PackedCall<From, ReplyFrom>> {
      const written = callBody({ ...call, model: options.model ?? call.model })
      const step = options.step?.()
      const packed = await bodies.pack(written.body, step && { step })
      if (packed.receipt) options.onPacked?.(packed.receipt, packed.request)
      return packedCall(written, packed)
    },
  }
}

function packedCall<From, ReplyFrom>(written: CallBody<From>, packed: PackedBody): PackedCall<From, ReplyFrom> {
  const replies = replyBodies<ReplyFrom>()
  const bodyOf = perObject((reply: ModelReply<ReplyFrom>): JsonObject => replies.write(reply))
  return {
    shown: shownCall(written, packed.request),
    async next(reply) {
      const request = await packed.next(bodyOf(reply))
      return request && shownCall(written, request)
    },
    answered: async (reply) => replies.read(await packed.answered(bodyOf(reply))),
    refused: (error) => packed.refused(statusOf(error)),
  }
}
