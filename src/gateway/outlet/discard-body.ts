import type { IncomingMessage } from 'node:http'

const lingerMs = 1000

/**
 * Throws away what is still coming of a refused body, for a little while: closing on a client that is still sending would
 * take the answer away from it.
 */
export function discardBody(request: IncomingMessage): Promise<void> {
  return new Promise((done) => {
    if (request.complete || request.destroyed) return done()
    const timer = setTimeout(done, lingerMs)
    const over = (): void => {
      clearTimeout(timer)
      done()
    }
    request.on('end', over).on('close', over).on('error', over).resume()
  })
}
