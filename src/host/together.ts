/** Sends what is said at about the same time as one: a message costs more than what stands in it. */
export function together<Said>(
  send: (all: readonly Said[]) => void,
  soon: (work: () => void) => void = queueMicrotask,
): (said: Said) => void {
  let waiting: Said[] = []
  return (said) => {
    if (waiting.push(said) > 1) return
    soon(() => {
      const all = waiting
      waiting = []
      send(all)
    })
  }
}
