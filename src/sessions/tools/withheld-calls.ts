import type { ModelReply, ToolResult } from '../../core/index.ts'
import { markerGuardFor } from '../markers/marker-guard.ts'
import { refuseCalls } from '../catalogue/refused-calls.ts'
import { foundTools } from '../catalogue/found-tools.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionTurn } from '../session-turn.ts'

/** Replies of a turn whose calls are answered instead of run, since one holds a marker that cannot be written out, or calls what is no tool. */
export interface WithheldCalls {
  /** Whether there can be any. */
  readonly mayBe: boolean
  /** Names of the tools whose calls in a reply the client must not see. */
  namesIn(reply: ModelReply): Promise<ReadonlySet<string>>
  /** What the calls of the reply asked about last are answered, once; undefined where the client gets them. */
  take(): Refused | undefined
  /** Calls that were taken so far. */
  readonly taken: number
}

export interface Refused {
  /** Of the tools of which the client sees no call in the reply. */
  readonly hidden: ReadonlySet<string>
  readonly results: readonly ToolResult[]
}

export interface WithheldOptions {
  /** Names of all our own tools. */
  readonly names: ReadonlySet<string>
  readonly roundsLeft: () => number
  readonly count: (result: 'answered' | 'passed') => void
}

export function withheldCalls(
  parts: SessionParts,
  turn: SessionTurn,
  { names, roundsLeft, count }: WithheldOptions,
): WithheldCalls {
  const { codec } = turn
  const guard = markerGuardFor(parts, turn)
  const found = foundTools(turn)
  let refused: Refused | undefined
  const withheld = {
    taken: 0,
    mayBe: guard !== undefined || found !== undefined,
    async namesIn(reply: ModelReply) {
      refused = undefined
      const calls = reply.toolCalls.filter(({ name }) => !names.has(name))
      const results =
        calls.length === 0 ? undefined : ((found && refuseCalls(calls, found)) ?? (await guard?.refuse(calls)))
      if (!results) return names
      const hidden = new Set([...names, ...calls.map(({ name }) => name)])
      const isRefused = roundsLeft() > 0 && codec.endOf(reply, hidden).mustContinue
      count(isRefused ? 'answered' : 'passed')
      if (isRefused) refused = { hidden, results }
      return isRefused ? hidden : names
    },
    take(): Refused | undefined {
      const now = refused
      refused = undefined
      withheld.taken += now?.results.length ?? 0
      return now
    },
  }
  return withheld
}
