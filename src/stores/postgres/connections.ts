import { connection } from './connection.ts'
import type { Connection, ConnectionOptions, Postgres, Statements } from './connection.ts'
import { isConnectionLimit } from './postgres-errors.ts'

/**
 * A few connections. Each has one transaction at a time; who comes while all are taken waits in turn. Where the server refuses further
 * connections, those that stand do all the work, and the others are tried again now and then.
 */
export interface Connections {
  transaction<Result>(begin: string, work: (on: Statements) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

const refusedMs = 5000

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

  let refused = 0
  const rest = (one: Connection): void => {
    refused += 1
    setTimeout(() => {
      refused -= 1
      giveBack(one)
    }, refusedMs).unref()
  }

  const transaction: Connections['transaction'] = async (begin, work) => {
    const one = await taken()
    let isRefused = false
    try {
      return await one.transaction(begin, work)
    } catch (error) {
      isRefused = isConnectionLimit(error) && refused < count - 1
      if (!isRefused) throw error
    } finally {
      if (isRefused) rest(one)
      else giveBack(one)
    }
    return transaction(begin, work)
  }

  return {
    transaction,
    close: async () => void (await Promise.all(all.map((one) => one.close()))),
  }
}
