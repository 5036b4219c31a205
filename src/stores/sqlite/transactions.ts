import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite-errors.ts'

/** Transactions, one after the other; whoever else is writing is waited for without holding up the thread. */
export interface Transactions {
  /** Runs work in a transaction of its own when it is its turn, and takes it back where it throws. */
  run<Result>(work: () => Result): Promise<Result>
  /** Runs work that only reads. */
  read<Result>(work: () => Result): Promise<Result>
}

export interface Patience {
  /** How long somebody else's lock is waited for. */
  readonly lockMs: number
  /** How long all writes fail at once after one has waited in vain. */
  readonly restMs: number
}

export const usualPatience: Patience = { lockMs: 500, restMs: 500 }

/** How long the first write after a rest waits, as a share of what others may wait. */
const trialShare = 0.1
const pausesMs = [1, 2, 5, 10, 20]

export interface TransactionOptions {
  readonly patience: Patience
  /** Told when a lock was waited for in vain; not again before a write has succeeded. */
  readonly whenBusy: () => void
}

export function transactions(db: DatabaseSync, { patience, whenBusy }: TransactionOptions): Transactions {
  let last: Promise<unknown> = Promise.resolve()
  let gaveUp: { readonly error: unknown; readonly restUntilMs: number } | undefined

  const begin = async (): Promise<void> => {
    if (gaveUp && performance.now() < gaveUp.restUntilMs) throw gaveUp.error
    try {
      await patiently(() => db.exec('BEGIN IMMEDIATE'), gaveUp ? patience.lockMs * trialShare : patience.lockMs)
      gaveUp = undefined
    } catch (error) {
      if (isBusy(error)) {
        if (!gaveUp) whenBusy()
        gaveUp = { error, restUntilMs: performance.now() + patience.restMs }
      }
      throw error
    }
  }

  const transact = async <Result>(work: () => Result): Promise<Result> => {
    await begin()
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }

  return {
    run(work) {
      const turn = last.then(() => transact(work))
      last = turn.catch(() => undefined)
      return turn
    },
    read: (work) => patiently(work, patience.lockMs),
  }
}

async function patiently<Result>(work: () => Result, limitMs: number): Promise<Result> {
  const untilMs = performance.now() + limitMs
  for (let tries = 0; ; tries += 1) {
    try {
      return work()
    } catch (error) {
      const pauseMs = pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0
      if (!isBusy(error) || performance.now() + pauseMs > untilMs) throw error
      await new Promise((done) => setTimeout(done, pauseMs))
    }
  }
}
