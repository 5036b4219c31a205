import { decodedHeaders } from './decoded-body.ts'
import { endToEndHeaders, outgoingHeaders } from './hop-by-hop.ts'
import type { PhaseTimers } from './phase-timers.ts'
import { phaseTimers } from './phase-timers.ts'
import { abortError, connectionError } from './transport-error.ts'
import type { Upstream, UpstreamRequest, UpstreamTimeouts } from './upstream.ts'
import { defaultTimeouts } from './upstream.ts'

export interface FetchUpstreamOptions {
  readonly name: string
  /** Scheme, host and port. */
  readonly origin: string
  /** The simulated provider's, or the global one. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly pathOf?: (path: string) => string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeouts?: Partial<UpstreamTimeouts>
}

/** A provider behind a `fetch`, such as one in this process. Connecting counts as waiting for the first byte. */
export function fetchUpstream(options: FetchUpstreamOptions): Upstream {
  const { name, origin, fetch, pathOf = (path) => path } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  return {
    name,
    close: () => Promise.resolve(),
    async send({ method, path, headers, body, upload, signal, timeouts: own = timeouts }) {
      const stop = new AbortController()
      const onAbort = (): void => stop.abort(abortError(signal.reason))
      const timers = phaseTimers(own, (error) => stop.abort(error))
      const end = (): void => {
        timers.stop()
        signal.removeEventListener('abort', onAbort)
      }
      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      timers.enter('first-byte')
      try {
        const response = await fetch(origin + pathOf(path), {
          method,
          headers: outgoingHeaders({ ...headers, ...options.headers }) as Record<string, string>,
          signal: stop.signal,
          ...bodyInit(body, upload),
        })
        const reading = readBody({ response, timers, stop, end })
        return {
          status: response.status,
          headers: decodedHeaders(endToEndHeaders(Object.fromEntries(response.headers))),
          body: reading,
        }
      } catch (error) {
        end()
        throw stop.signal.aborted ? (stop.signal.reason as Error) : connectionError(error, true)
      }
    },
  }
}

function bodyInit(body: UpstreamRequest['body'], upload: UpstreamRequest['upload']): RequestInit {
  if (upload !== undefined) return { body: ReadableStream.from(upload.pieces), duplex: 'half' }
  return body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }
}

interface ReadInput {
  readonly response: Response
  readonly timers: PhaseTimers
  readonly stop: AbortController
  end(): void
}

async function* readBody({ response, timers, stop, end }: ReadInput): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    timers.enter('idle')
    for await (const chunk of response.body ?? []) {
      timers.pause()
      yield chunk
      timers.enter('idle')
    }
  } catch (error) {
    throw stop.signal.aborted ? (stop.signal.reason as Error) : connectionError(error, true)
  } finally {
    end()
  }
}
