import { savedBy, whyWholeText } from '../../../sessions/index.ts'
import type { SessionTurn } from '../../../sessions/index.ts'
import { costHeaders } from './cost-headers.ts'
import type { HiddenTurns } from './hidden-turns.ts'

/** A receipt that will not be found is not promised. */
export function packHeaders(turn: SessionTurn): Record<string, string> {
  const { mode, manifest, packId, isFiled, lost, planned, costBefore, why, compactions, advice } = turn
  const { epoch, outcome } = manifest
  return {
    ...(isFiled && { 'x-prehend-pack-id': packId }),
    ...(mode === 'on' ? savedHeader(planned, []) : wouldSaveHeaders(planned)),
    ...costHeaders(costBefore),
    ...(why && { 'x-prehend-why': `${why.reason}; ${whyWholeText(why)}` }),
    ...toolsHeader(turn),
    ...(epoch && { 'x-prehend-cache': `provider; ${epoch.decision}; ${epoch.cause}` }),
    ...(outcome !== 'ok' && { 'x-prehend-outcome': outcome }),
    ...compactionHeaders(compactions),
    ...(advice && { 'x-prehend-advice': 'handoff' }),
    ...(lost.all > 0 && { 'x-prehend-hidden-lost': String(lost.all) }),
  }
}

/** Absent where the request defines every tool of the client, unless its policy asks for a selection in so many words. */
function toolsHeader({ mode, received, catalogue, input }: SessionTurn): Record<string, string> {
  const left = catalogue?.unlisted.length ?? 0
  const { length: all } = received.conversation.tools
  const { selection = 'off' } = input.policy.tools ?? {}
  const isAsked = all > 0 && (selection === 'meta' || selection === 'sticky')
  return mode !== 'on' || (left === 0 && !isAsked) ? {} : { 'x-prehend-tools': `${all - left} of ${all} defined` }
}

/** Under both of our names: clients of the other one know no other. */
function compactionHeaders({ own, provider }: SessionTurn['compactions']): Record<string, string> {
  const count = String(own + provider)
  return count === '0' ? {} : { 'x-prehend-compaction-count': count, 'x-bardo-compaction-count': count }
}

/** An observed request was sent as it came. */
function wouldSaveHeaders(planned: SessionTurn['planned']): Record<string, string> {
  return { 'x-prehend-saved-tokens': '0', 'x-prehend-would-save-tokens': String(savedBy(planned)) }
}

/** What the client's request took less than everything, and what further rounds took that only our tools had asked for. */
export function savedHeader(planned: SessionTurn['planned'], further: HiddenTurns['usages']): Record<string, string> {
  const asked = further.reduce((sum, usage) => sum + (usage?.inputTokens ?? 0), 0)
  return { 'x-prehend-saved-tokens': String(savedBy(planned) - asked) }
}
