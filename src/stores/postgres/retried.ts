import type { Statements } from './connection.ts'
import type { Connections } from './connections.ts'
import { isRetried } from './postgres-errors.ts'

export type Change = <Result>(work: (on: Statements) => Promise<Result>) => Promise<Result>

/** Times that a transaction is made again because another one stood in its way. */
const mostTries = 5

/** Runs work in a transaction that writes, and again where another transaction stood in its way. */
export function retried({ transaction }: Pick<Connections, 'transaction'>): Change {
  const change = async <Result>(work: (on: Statements) => Promise<Result>, tries = 1): Promise<Result> => {
    try {
      return await transaction('BEGIN', work)
    } catch (error) {
      if (!isRetried(error) || tries === mostTries) throw error
      return change(work, tries + 1)
    }
  }
  return (work) => change(work)
}
