import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** Which way bytes go: to the server, or back. */
export type Way = 'up' | 'down'

/** What becomes of some bytes, of which so many went the same way before; undefined cuts their connection. */
export type Fault = (way: Way, bytes: Buffer, before: number) => Buffer | undefined | Promise<Buffer | undefined>

export interface FaultyProxy {
  readonly port: number
  /** New connections go to this port from now on; those that stand are cut. */
  moveTo(port: number): void
  /** All bytes go through it from now on; without one they go as they are. */
  setFault(fault?: Fault): void
  close(): Promise<void>
}

/** Stands between a client and a server on loopback, and spoils what it is told to. */
export async function faultyProxy(target: number): Promise<FaultyProxy> {
  const sockets = new Set<Socket>()
  let port = target
  let fault: Fault | undefined
  let passed: Record<Way, number> = { up: 0, down: 0 }
  const pass = async (way: Way, from: Socket, to: Socket): Promise<void> => {
    for await (const bytes of from as AsyncIterable<Buffer>) {
      const before = passed[way]
      passed[way] += bytes.length
      const kept = fault ? await fault(way, bytes, before) : bytes
      if (kept === undefined) break
      to.write(kept)
    }
  }
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    const both = [client, upstream]
    const end = (): void => both.forEach((socket) => void socket.destroy())
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => sockets.delete(socket))
    }
    for (const passing of [pass('up', client, upstream), pass('down', upstream, client)]) void passing.then(end, end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    moveTo(next) {
      port = next
      for (const socket of sockets) socket.destroy()
    },
    setFault(next) {
      fault = next
      passed = { up: 0, down: 0 }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
