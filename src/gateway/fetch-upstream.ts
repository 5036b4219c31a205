import { PrehendError } from '../core/index.ts'
import type { Upstream, UpstreamReply } from './upstreams.ts'

/** The part of `fetch` that is used; the simulated provider's fits, and the global one. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>

/** A provider behind a `fetch`, such as one that lives in this process. Its time limits are its own affair. */
export function fetchUpstream(name: string, baseUrl: string, fetch: FetchLike): Upstream {
  return {
    name,
    async send({ method, path, headers, body, signal }): Promise<UpstreamReply> {
      try {
        const init: RequestInit = { method, headers, signal, body: (body ?? null) as string | null }
        const response = await fetch(baseUrl + path, init)
        const own = Object.fromEntries(response.headers)
        return { status: response.status, headers: own, body: response.body ?? nothing() }
      } catch (error) {
        if (signal.aborted) throw error
        const remedy = 'Send the request again.'
        throw new PrehendError('upstream-broken', `The provider broke the request off. ${remedy}`, { remedy }, error)
      }
    },
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
