import { isPrehendError } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { openSession } from '../../sessions/index.ts'
import type { PackedRequest, RequestOptions, SessionOptions, TurnReceipt } from '../../sessions/index.ts'

/** How the calls of a framework are packed: as `openSession` has it, and what a framework does not tell. */
export interface IntegrationOptions extends SessionOptions {
  /** The model to count and plan for, where the framework's own name for it is not the provider's. */
  readonly model?: string
  /** Told what was decided about each call, and what is sent of it, before it is: by its `requestId` the store knows the receipt. */
  readonly onPacked?: (receipt: TurnReceipt, packed: JsonObject) => void
  /** The step of the host's task that the next call is made for: with `blobs`, the receipt has the URI of the manifest that was stored. */
  readonly step?: () => RequestOptions['step']
}

export type PackedBody = Pick<PackedRequest<JsonObject>, 'request' | 'receipt' | 'next' | 'answered' | 'refused'>

export interface PackedBodies {
  pack(body: JsonObject, own?: RequestOptions): Promise<PackedBody>
}

/** Any number of conversations, each told by how it begins unless a request or the options name the session. */
export function packedBodies({
  model: _model,
  onPacked: _onPacked,
  step: _step,
  ...options
}: Omit<IntegrationOptions, 'onPacked' | 'step'> & {
  readonly onPacked?: unknown
  readonly step?: unknown
}): PackedBodies {
  const session = openSession(options)
  return {
    pack: (body, own) =>
      session.pack(body, own).catch((error: unknown) => {
        // What we cannot read the provider may well: it goes as it came.
        if (!isPrehendError(error) || error.code !== 'invalid-input') throw error
        options.onFailure?.('read', error, '')
        return unread(body)
      }),
  }
}

function unread(request: JsonObject): PackedBody {
  return {
    request,
    next: async () => undefined,
    answered: async (reply) => reply,
    refused: async () => undefined,
  }
}

/** Frameworks and SDKs say with which status a provider refused; without one nothing is known to have arrived. */
export function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 502
  const status = 'statusCode' in error ? error.statusCode : 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 ? status : 502
}
