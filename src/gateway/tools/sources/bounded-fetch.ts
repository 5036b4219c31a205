import { tooLarge } from './tool-failure.ts'

/** Bytes of one answer of a server. */
export const mostAnswerBytes = 16 * 1024 * 1024

/** A fetch whose answers end in an error once they are too long; that of a stream of events, too. */
export function boundedFetch(fetcher: typeof fetch, mostBytes = mostAnswerBytes): typeof fetch {
  return async (input, init) => {
    const response = await fetcher(input, init)
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const bounded = new Response(response.body.pipeThrough(bounding(mostBytes)), { status, statusText, headers })
    // The address after redirects tells which origin has answered.
    Object.defineProperty(bounded, 'url', { value: response.url })
    return bounded
  }
}

function bounding(mostBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > mostBytes) controller.error(tooLarge(mostBytes))
      else controller.enqueue(chunk)
    },
  })
}
