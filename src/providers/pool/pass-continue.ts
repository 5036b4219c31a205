import type { Socket } from 'node:net'
import { buildConnector } from 'undici'

const head = Buffer.from('HTTP/1.1 100')
const end = Buffer.from('\r\n\r\n')
/** Longer ones are none: nobody says anything in them. */
const mostBytes = 4096
const requestLine = /^[A-Z]+ \S+ HTTP\/1\.1\r\n/

/**
 * Connections on which a `100 Continue` before a reply is passed over, as HTTP asks of every client (RFC 9110, 15.2). The client behind them
 * takes one that it did not ask for as the end of the connection; we never ask for one.
 */
export function passingContinue(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options)
  return (to, done) =>
    connect(to, (...result) => {
      if (result[0] === null) passContinue(result[1])
      done(...result)
    })
}

function passContinue(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  const write = socket.write.bind(socket) as (...all: readonly unknown[]) => boolean
  let awaits = true
  let held: Buffer | undefined
  socket.write = (...all: readonly unknown[]) => {
    if (typeof all[0] === 'string' && requestLine.test(all[0])) awaits = true
    return write(...all)
  }
  socket.read = (size?: number) => {
    const came = read(size)
    if (!awaits || came === null) return came
    const left = withoutContinue(held === undefined ? came : Buffer.concat([held, came]))
    held = left === 'unknown' ? Buffer.concat([held ?? Buffer.alloc(0), came]) : undefined
    if (left === 'unknown' || left.length === 0) return null
    awaits = false
    return left
  }
}

/** The beginning of the reply itself; `unknown` where it has not come. */
function withoutContinue(bytes: Buffer): Buffer | 'unknown' {
  if (!bytes.subarray(0, head.length).equals(head.subarray(0, bytes.length))) return bytes
  const ends = bytes.indexOf(end)
  if (ends < 0) return bytes.length < mostBytes ? 'unknown' : bytes
  return withoutContinue(bytes.subarray(ends + end.length))
}
