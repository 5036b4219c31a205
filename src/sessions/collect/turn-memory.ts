import { userTurnAt } from '../../core/index.ts'
import type { Conversation, Item } from '../../core/index.ts'
import { PassingMap } from '../../host/index.ts'
import { scopeKey } from '../../stores/index.ts'
import type { Scope } from '../../stores/index.ts'

/** What sources that are asked once for a turn of the user have given for it. */
export interface TurnMemory {
  /** The turn that a request is in, as far as this process has seen it. */
  of(scope: Scope, conversation: Conversation): UserTurn
}

export interface UserTurn {
  /** Where the turn begins in the conversation; -1 where the user has said nothing. */
  readonly place: number
  /** Whether the model has answered in it already. */
  readonly isUnderway: boolean
  /** Whether sources were asked for it. */
  readonly wasAsked: boolean
  /** What a source has given for this very request, which comes again; undefined where it is to be asked. */
  given(sourceId: string): readonly Item[] | undefined
  keep(sourceId: string, items: readonly Item[]): void
  /** Sources were asked for it by somebody else. */
  skip(): void
}

interface Kept {
  readonly turn: string
  /** The request for which sources were asked: its items, and the last of them. Another's are not known. */
  request: string
  readonly given: Map<string, readonly Item[]>
}

/** Remembers so many conversations; those used longest ago are forgotten. */
export function turnMemory(mostConversations: number): TurnMemory {
  const known = new PassingMap<string, Kept>()
  const put = (key: string, kept: Kept): void => {
    known.delete(key)
    known.set(key, kept)
    if (known.size <= mostConversations) return
    for (const oldest of known.keys()) {
      known.delete(oldest)
      break
    }
  }
  return {
    of(scope, { items }) {
      const key = scopeKey(scope)
      const place = userTurnAt(items)
      const turn = items[place]?.id ?? ''
      const request = `${items.length} ${items.at(-1)?.id ?? ''}`
      const before = known.get(key)
      const kept = before?.turn === turn ? before : { turn, request, given: new Map<string, readonly Item[]>() }
      if (kept.request !== request) kept.given.clear()
      return {
        place,
        isUnderway: items.slice(place + 1).some(({ role }) => role === 'assistant'),
        wasAsked: kept === before,
        given: (sourceId) => (kept.request === request ? kept.given.get(sourceId) : []),
        keep(sourceId, given) {
          kept.given.set(sourceId, given)
          put(key, kept)
        },
        skip() {
          kept.request = ''
          put(key, kept)
        },
      }
    },
  }
}
