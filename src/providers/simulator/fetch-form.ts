import type { ProviderHeaders, ProviderRequest, WireResponse } from './wire.ts'
import { connectionDied } from './wire.ts'

/** What the simulated provider needs of `fetch`'s signature; the global one and the SDKs' fit. */
export type FetchForm = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

export type Serve = (request: ProviderRequest, signal: AbortSignal) => Promise<WireResponse>

/** Serves requests in process, with a real stream for a body. */
export function fetchForm(serve: Serve): FetchForm {
  return async (input, init) => {
    const request = new Request(input, init)
    const abort = new AbortController()
    const giveUp = (): void => abort.abort(request.signal.reason)
    if (request.signal.aborted) giveUp()
    request.signal.addEventListener('abort', giveUp, { once: true })
    try {
      abort.signal.throwIfAborted()
      const response = await serve(await wireRequest(request), abort.signal)
      return new Response(bodyOf(response.body, abort), { status: response.status, headers: response.headers })
    } catch (error) {
      throw error === connectionDied ? brokenConnection() : error
    }
  }
}

async function wireRequest(request: Request): Promise<ProviderRequest> {
  const { pathname, search } = new URL(request.url)
  const headers: ProviderHeaders = Object.fromEntries(request.headers)
  return { method: request.method, path: pathname + search, headers, body: await request.text() }
}

function bodyOf(body: WireResponse['body'], abort: AbortController): string | ReadableStream<Uint8Array> {
  if (typeof body === 'string') return body
  const pieces = body[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start(controller) {
      abort.signal.addEventListener(
        'abort',
        () => {
          controller.error(abort.signal.reason)
          void pieces.return?.()
        },
        { once: true },
      )
    },
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        if (!abort.signal.aborted) controller.error(error === connectionDied ? brokenConnection() : error)
      }
    },
    async cancel(reason) {
      abort.abort(reason)
      await pieces.return?.()
    },
  })
}

/** What `fetch` throws when the other side hangs up. */
function brokenConnection(): TypeError {
  return new TypeError('terminated', { cause: new Error('other side closed') })
}
