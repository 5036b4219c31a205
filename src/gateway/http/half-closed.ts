import type { Server, ServerResponse } from 'node:http'

/** Lets clients end their side once they have sent their request, and answers them all the same. */
export function answerHalfClosed(server: Server): void {
  // Node has the setting and no type for it.
  Object.assign(server, { httpAllowHalfOpen: true })
}

const firstPauseMs = 20
const longestPauseMs = 5000

/**
 * Whoever ends its side may be waiting for the answer, or may have gone: the two look alike until something is written.
 * So something is that no reader minds. Who has gone answers with a reset, which the next writing meets, and the response
 * is over.
 */
function whenHalfClosed(response: ServerResponse, probe: () => void): void {
  const { socket } = response.req
  let pauseMs = firstPauseMs
  let timer: NodeJS.Timeout | undefined
  const write = (): void => {
    if (response.writableEnded) return
    probe()
    timer = setTimeout(write, pauseMs)
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  }
  socket.once('end', write)
  response.once('close', () => {
    socket.off('end', write)
    clearTimeout(timer)
  })
}

/** As long as there is no answer. Nothing may come before it in HTTP/1.0, which proxies speak that leave just so: they have gone. */
export function probeBeforeAnswer(response: ServerResponse): void {
  whenHalfClosed(response, () => {
    if (response.headersSent) return
    if (response.req.httpVersionMinor === 0) response.destroy()
    else response.writeProcessing()
  })
}

/** Within a stream of events, which are whole whenever nothing is being written. */
export function probeInStream(response: ServerResponse): void {
  whenHalfClosed(response, () => response.write(':\n\n'))
}
