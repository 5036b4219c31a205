import type { AnsweredCall } from './answered-calls.ts'

/** The calls of one message of the assistant. */
export type PlayedTurn = readonly AnsweredCall[]

/** The turns of the conversations that a script plays. A request may leave out old turns, as compaction does. */
export interface PlayMemory {
  /** All turns of the conversation whose newest turns a request shows. */
  whole(shown: readonly PlayedTurn[]): readonly PlayedTurn[]
}

const mostConversations = 200

export function playMemory(): PlayMemory {
  /** The newest last. */
  let conversations: readonly (readonly PlayedTurn[])[] = []
  return {
    whole(shown) {
      const found = longestMatch(conversations, shown)
      const turns = found === undefined ? shown : joined(found, shown)
      const others = conversations.filter((each) => each !== found?.conversation)
      conversations = [...others, turns].slice(-mostConversations)
      return turns
    },
  }
}

interface Match {
  readonly conversation: readonly PlayedTurn[]
  /** Turns at the end of the request that the conversation does not have yet: one, or none where a request is repeated. */
  readonly added: 0 | 1
  /** Turns before them that are the last ones of the conversation. */
  readonly length: number
}

function longestMatch(
  conversations: readonly (readonly PlayedTurn[])[],
  shown: readonly PlayedTurn[],
): Match | undefined {
  // Another agent that plays the same script and is not as far leaves nothing out.
  const ahead = conversations.filter((each) => !shown.every((turn, index) => isSame(turn, each[index])))
  const matches = ahead.flatMap((conversation) =>
    ([1, 0] as const).map((added) => ({ conversation, added, length: commonEnd(conversation, shown, added) })),
  )
  return matches.reduce<Match | undefined>(
    (best, match) => (match.length > (best?.length ?? 0) ? match : best),
    undefined,
  )
}

function commonEnd(conversation: readonly PlayedTurn[], shown: readonly PlayedTurn[], added: 0 | 1): number {
  const last = shown.length - added
  const most = Math.min(last, conversation.length)
  let length = 0
  while (length < most && isSame(conversation.at(-1 - length), shown[last - 1 - length])) length += 1
  return length
}

function isSame(one: PlayedTurn | undefined, other: PlayedTurn | undefined): boolean {
  const asked = (turn: PlayedTurn | undefined): string => JSON.stringify(turn?.map((call) => call.asked))
  return asked(one) === asked(other)
}

/** A request that leaves nothing out says all that the conversation does. */
function joined({ conversation, added }: Match, shown: readonly PlayedTurn[]): readonly PlayedTurn[] {
  if (shown.length >= conversation.length + added) return shown
  return [...conversation, ...shown.slice(shown.length - added)]
}
