import type { CallMessage } from './model-call.ts'

/** Messages of results that follow one another as one: they are those of one reply. */
export function joinedResults<From>(messages: readonly CallMessage<From>[]): readonly CallMessage<From>[] {
  const all: CallMessage<From>[] = []
  for (const message of messages) {
    const before = all.at(-1)
    if (before !== undefined && isResults(before) && isResults(message))
      all[all.length - 1] = { ...before, parts: [...before.parts, ...message.parts] }
    else all.push(message)
  }
  return all
}

function isResults<From>({ parts }: CallMessage<From>): boolean {
  return parts.length > 0 && parts.every(({ type }) => type === 'result')
}
