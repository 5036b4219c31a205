import type { ReplyEvent } from '../../core/index.ts'
import type { CalledTool, NameRule } from '../crossing-names.ts'
import { nameWithin } from '../crossing-names.ts'
import type { ReadingState, ReplyReader } from './reply-reader.ts'

export interface NamedCallsOptions {
  /** The client's tools by the names under which the provider was told of them. */
  readonly names: ReadonlyMap<string, CalledTool>
  /** What the client's dialect takes for an id. */
  readonly ids: NameRule
  /** Ids of calls that stand in the request. */
  readonly taken: ReadonlySet<string>
  /** Names calls to which the provider gives no id; no other reply has it. */
  readonly replyId: string
}

interface Reading extends ReadingState {
  readonly inner: ReadingState
  readonly used: readonly string[]
}

/** A reader whose calls have the client's own names, and ids that no other call of the conversation has. */
export function namingCalls(reader: ReplyReader, options: NamedCallsOptions): ReplyReader {
  // States come from this reader only.
  const own = (state: ReadingState): Reading => state as Reading
  const initial: Reading = { ended: false, inner: reader.initial, used: [] }
  return {
    whole: (body) => named(reader.whole(body), options, []).events,
    initial,
    step(before, event) {
      const { inner, used } = own(before)
      const step = reader.step(inner, event)
      const told = named(step.events, options, used)
      return {
        state: { ended: step.state.ended, inner: step.state, used: told.used } satisfies Reading,
        events: told.events,
      }
    },
    close: (state) => named(reader.close(own(state).inner), options, own(state).used).events,
  }
}

function named(
  events: readonly ReplyEvent[],
  options: NamedCallsOptions,
  before: readonly string[],
): { readonly events: readonly ReplyEvent[]; readonly used: readonly string[] } {
  const used = [...before]
  const told = events.map((event): ReplyEvent => {
    if (event.kind !== 'call') return event
    const id = freeId(event.id, options, used)
    used.push(id)
    return { ...event, id, ...options.names.get(event.name) }
  })
  return { events: told, used }
}

function freeId(given: string, { ids, taken, replyId }: NamedCallsOptions, used: readonly string[]): string {
  const wanted = nameWithin(given === '' ? `call_${replyId}_${used.length}` : given, ids)
  const isTaken = (id: string): boolean => taken.has(id) || used.includes(id)
  for (let use = 1; ; use += 1) {
    const id = use === 1 ? wanted : nameWithin(`${wanted}_${use}`, ids)
    if (!isTaken(id)) return id
  }
}
