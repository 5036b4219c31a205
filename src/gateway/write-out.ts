import type { ServerResponse } from 'node:http'

/** Writes to a client and waits while it is slower than we are. */
export async function writeOut(response: ServerResponse, chunk: string | Uint8Array): Promise<void> {
  if (response.destroyed || response.write(chunk)) return
  await new Promise<void>((done) => {
    const go = (): void => {
      response.off('drain', go)
      response.off('close', go)
      done()
    }
    response.on('drain', go)
    response.on('close', go)
  })
}
