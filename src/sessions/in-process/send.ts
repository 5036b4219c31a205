import type { PackedRequest } from './packed-request.ts'

/** Asks until the model has what it needs, and gives the reply that the caller should see. */
export async function send<Request extends object, Reply extends object>(
  packed: PackedRequest<Request>,
  ask: (request: Request) => Promise<Reply>,
): Promise<Reply> {
  let request: Request | undefined = packed.request
  let reply = await asked(packed, ask, request)
  for (;;) {
    request = await packed.next(reply)
    if (request === undefined) return packed.answered(reply)
    reply = await asked(packed, ask, request)
  }
}

async function asked<Request, Reply>(
  packed: PackedRequest<Request>,
  ask: (request: Request) => Promise<Reply>,
  request: Request,
): Promise<Reply> {
  try {
    return await ask(request)
  } catch (error) {
    await packed.refused(statusOf(error))
    throw error
  }
}

/** SDKs say with which status a provider refused; without one nothing is known to have arrived. */
function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 ? status : 502
}
