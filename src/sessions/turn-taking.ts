import { withinDeadline } from './within-deadline.ts'

/** Lets those who ask have their turns one after the other. */
export interface TurnTaking {
  /** Runs work when it is its turn. Rejects, and never runs it, where that takes too long. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  isIdle(): boolean
}

export function turnTaking(limitMs: number): TurnTaking {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    async run(work) {
      let leave: () => void = () => undefined
      const left = new Promise<void>((resolve) => (leave = resolve))
      const before = last
      const isFree = waiting === 0
      last = before.then(() => left)
      waiting += 1
      try {
        if (!isFree) await withinDeadline(before, limitMs)
        return await work()
      } finally {
        waiting -= 1
        leave()
      }
    },
    isIdle: () => waiting === 0,
  }
}
