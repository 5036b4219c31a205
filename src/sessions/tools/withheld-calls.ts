import type { ModelReply, ToolCall, ToolResult } from '../../core/index.ts'
import { markerGuardFor } from '../markers/marker-guard.ts'
import { executeToolName } from '../../tools/index.ts'
import { executedBy, putOff, refuseCalls } from '../catalogue/refused-calls.ts'
import type { ExecutedBy } from '../catalogue/refused-calls.ts'
import { foundTools } from '../catalogue/found-tools.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionTurn } from '../session-turn.ts'

/**
 * Replies of a turn whose calls are answered instead of run, since one holds a marker that cannot be written out, or calls what is no tool; and
 * those that call tools of the host beside the client's.
 */
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
  /** Of the calls that are not run. */
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
  /** Where `execute_tool` calls tools of both, only the host's are run: a reply shows or hides all calls of one name. */
  const hostCalls = (calls: readonly ToolCall[], executed: ExecutedBy): Refused => {
    const areMixed = executed.client.length > 0
    const hidden = areMixed ? calls.map(({ name }) => name) : [executeToolName]
    return { hidden: new Set([...names, ...hidden]), results: areMixed ? putOff(calls, executed) : [] }
  }
  const withheld = {
    taken: 0,
    mayBe: guard !== undefined || found !== undefined,
    async namesIn(reply: ModelReply): Promise<ReadonlySet<string>> {
      refused = undefined
      const calls = reply.toolCalls.filter(({ name }) => !names.has(name))
      const results =
        calls.length === 0 ? undefined : ((found && refuseCalls(calls, found)) ?? (await guard?.refuse(calls)))
      const executed = found && executedBy(calls, found)
      if (!results && executed && executed.host.length > 0) {
        refused = hostCalls(calls, executed)
        return refused.hidden
      }
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
