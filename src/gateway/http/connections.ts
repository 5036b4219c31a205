import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Socket } from 'node:net'

/** The connections of a server. */
export interface Connections {
  /** Takes no new one, and lets each go when what was answered on it has gone out; done when there is none left. */
  close(): Promise<void>
}

/**
 * Knows which connections have an answer under way. A server's own `close` and `closeIdleConnections` take a connection
 * for idle as soon as its answer is written, and cut it off while a slow client is still to read the rest.
 */
export function trackedConnections(server: Server): Connections {
  const answers = new Map<Socket, number>()
  let isClosing = false
  const count = (socket: Socket, more: 1 | -1): void => {
    const before = answers.get(socket)
    if (before === undefined) return
    answers.set(socket, before + more)
    if (isClosing && before + more === 0) socket.destroySoon()
  }
  server.on('connection', (socket) => {
    answers.set(socket, 0)
    socket.once('close', () => answers.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })
  return {
    close: () => {
      isClosing = true
      return new Promise((done) => {
        NetServer.prototype.close.call(server, () => {
          // Only the server's own `close` ends its timer, which holds the server and all that answers there.
          server.close(() => done())
        })
        for (const [socket, underway] of answers) if (underway === 0) socket.destroySoon()
      })
    },
  }
}
