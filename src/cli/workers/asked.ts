/** Questions to another process, each answered once or given up. */
export interface Asked<Answer> {
  /** Undefined where no answer has come in time. */
  ask(send: (id: number) => void): Promise<Answer | undefined>
  answer(id: number, answer: Answer): void
}

export function askedQuestions<Answer>(waitMs: number): Asked<Answer> {
  const open = new Map<number, (answer: Answer | undefined) => void>()
  let ids = 0
  return {
    ask(send) {
      const id = (ids += 1)
      return new Promise((done) => {
        const end = (answer: Answer | undefined): void => {
          clearTimeout(timer)
          open.delete(id)
          done(answer)
        }
        const timer = setTimeout(end, waitMs, undefined)
        open.set(id, end)
        send(id)
      })
    },
    answer: (id, answer) => open.get(id)?.(answer),
  }
}
