import { rehydrateToolName } from '../../core/index.ts'
import type { ToolCall, ToolResult } from '../../core/index.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionTurn } from '../session-turn.ts'
import { withinDeadline } from '../within-deadline.ts'
import { mentionsMarker } from './mentions-marker.ts'
import { markerResolver } from './resolve-marker.ts'
import { unresolvedIn } from './unresolved-markers.ts'
import type { UnresolvedMarker } from './unresolved-markers.ts'

/** Tells calls that a client must not run, because something in them stands for text that is not shown. */
export interface MarkerGuard {
  /** What the model is told of each of these calls, in order, where one of them must not run: none of them is run then. */
  refuse(calls: readonly ToolCall[]): Promise<readonly ToolResult[] | undefined>
}

/** The guard of a request that shows a marker of ours; a reply to any other has none to imitate. */
export function markerGuardFor(
  { store, limits, watch }: Pick<SessionParts, 'store' | 'limits' | 'watch'>,
  { mode, scope, exchange, after, encoded, requestId }: SessionTurn,
): MarkerGuard | undefined {
  const pack = encoded?.pack
  if (mode !== 'on' || !pack?.entries.some(({ rung, text }) => rung !== 'full' && mentionsMarker(text)))
    return undefined
  const resolve = markerResolver(store, { scope, handles: after.handles, exchange, pack })
  const request = { resolve, exchange, pack, ownWords: notRun }
  return {
    async refuse(calls) {
      try {
        const found = await withinDeadline(
          Promise.all(calls.map((call) => unresolvedIn(request, call))),
          limits.stageMs,
        )
        if (found.every((marker) => marker === undefined)) return undefined
        const isOffered = encoded?.tools.some(({ bringsBack }) => bringsBack === true) === true
        return calls.map(({ id }, index) => ({ callId: id, text: told(found[index], isOffered), isError: true }))
      } catch (error) {
        watch.failed('marker', error, requestId)
        return undefined
      }
    },
  }
}

const notRun = 'This call was not run'
const mostQuoted = 80

function told(marker: UnresolvedMarker | undefined, isOffered: boolean): string {
  if (!marker) return `${notRun} either: another call beside it stands for text that is not shown. Make it again.`
  const { says, means } = marker
  const fetch = means ? `("${means.handle}", "${means.first}-${means.last}")` : ''
  const orFetch = isOffered ? `, or fetch it with ${rehydrateToolName}${fetch} first` : ''
  return `${notRun}: it holds "${says.slice(0, mostQuoted)}", which stands for text that is not shown, and would have been written as it is. Write the text itself${orFetch}.`
}
