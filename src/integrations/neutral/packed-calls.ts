import { isPrehendError } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { openSession } from '../../sessions/index.ts'
import type { PackedRequest, SessionOptions, TurnReceipt } from '../../sessions/index.ts'
import { callBody } from './call-body.ts'
import type { CallBody } from './call-body.ts'
import type { AnsweredPart, ModelCall, ModelReply, ShownCall } from './model-call.ts'
import { replyBodies } from './reply-body.ts'
import { shownCall } from './shown-call.ts'

/** How the calls of a framework are packed: as `openSession` has it, and what a framework does not tell. */
export interface IntegrationOptions extends SessionOptions {
  /** The model to count and plan for, where the framework's own name for it is not the provider's. */
  readonly model?: string
  /** Told what was decided about each call, before it is sent: by its `requestId` the store knows the receipt. */
  readonly onPacked?: (receipt: TurnReceipt) => void
}

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
  const session = openSession(options)
  return {
    async pack<From, ReplyFrom>(call: ModelCall<From>): Promise<PackedCall<From, ReplyFrom>> {
      const written = callBody({ ...call, model: options.model ?? call.model })
      const packed = await session.pack(written.body).catch((error: unknown) => {
        // What we cannot read the provider may well: it goes as it came.
        if (!isPrehendError(error) || error.code !== 'invalid-input') throw error
        options.onFailure?.('read', error, '')
        return unread(written.body)
      })
      if (packed.receipt) options.onPacked?.(packed.receipt)
      return packedCall(written, packed)
    },
  }
}

type Packed = Pick<PackedRequest<JsonObject>, 'request' | 'receipt' | 'next' | 'answered' | 'refused'>

function unread(request: JsonObject): Packed {
  return {
    request,
    next: async () => undefined,
    answered: async (reply) => reply,
    refused: async () => undefined,
  }
}

function packedCall<From, ReplyFrom>(written: CallBody<From>, packed: Packed): PackedCall<From, ReplyFrom> {
  const replies = replyBodies<ReplyFrom>()
  const bodies = new WeakMap<object, JsonObject>()
  const bodyOf = (reply: ModelReply<ReplyFrom>): JsonObject => {
    const body = bodies.get(reply) ?? replies.write(reply)
    bodies.set(reply, body)
    return body
  }
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

/** Frameworks and SDKs say with which status a provider refused; without one nothing is known to have arrived. */
function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 502
  const status = 'statusCode' in error ? error.statusCode : 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 ? status : 502
}
