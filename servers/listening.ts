import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Resolves when something listens on a port; rejects after ten seconds. */
export async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await accepts(port)) return
    await delay(50)
  }
  throw new Error(`nothing listens on port ${port}`)
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })
}
