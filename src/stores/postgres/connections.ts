import { connection } from './connection.ts'
import type { Connection, ConnectionOptions, Postgres, Statements } from './connection.ts'

/** A few connections. Each has one transaction at a time; who comes while all are taken waits in turn. */
export interface Connections {
  transaction<Result>(begin: string, work: (on: Statements) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export function connections(open: Postgres, count: number, options: ConnectionOptions): Connections {
  const all = Array.from({ length: count }, () => connection(open, options))
  const free = [...all]
  const waiting: ((one: Connection) => void)[] = []

  const taken = (): Promise<Connection> | Connection =>
    free.pop() ?? new Promise<Connection>((give) => void waiting.push(give))

  const giveBack = (one: Connection): void => {
    const next = waiting.shift()
    if (next) next(one)
    else free.push(one)
  }

  return {
    async transaction(begin, work) {
      const one = await taken()
      try {
        return await one.transaction(begin, work)
      } finally {
        giveBack(one)
      }
    },
    close: async () => void (await Promise.all(all.map((one) => one.close()))),
  }
}
