import type { SessionLengths } from '../core/index.ts'
import type { QueryMeaning } from '../tools/index.ts'
import { overlaid } from './branches.ts'
import type { ContinuedBranch } from './branches.ts'
import { besideClient } from './catalogue/hosted-tools.ts'
import { listAnew } from './catalogue/list-anew.ts'
import { catalogueOf, withToolsPart } from './catalogue/listed-tools.ts'
import type { Catalogue } from './catalogue/listed-tools.ts'
import type { LiveState } from './live-state.ts'
import type { MeaningAsked } from './meanings/meanings.ts'
import type { SessionHost } from './session-host.ts'
import { partsFor } from './session-parts.ts'
import type { SessionRequest } from './session-turn.ts'

interface ToList {
  readonly branch: ContinuedBranch
  readonly begun: LiveState
  readonly sessionLengths?: SessionLengths | undefined
  readonly nowMs: number
  /** Of what an earlier try wanted; `none` where there is none to be had. */
  readonly meaning?: QueryMeaning | 'none' | undefined
}

export interface ListedBranch extends Pick<ContinuedBranch, 'restored' | 'placed' | 'lost'> {
  readonly state: LiveState
  readonly catalogue: Catalogue | undefined
  /** What is to be known before its tools are chosen. */
  readonly wants?: MeaningAsked | undefined
}

/** A branch with the client's tools that its request defines, chosen anew where that costs nothing. */
export function listedBranch(
  { parts, clientTools }: SessionHost,
  { codec, policy, situation, kept, keepsAside, step }: SessionRequest,
  { branch, begun, sessionLengths, nowMs, meaning }: ToList,
): ListedBranch {
  const { scope, received } = branch
  const info = partsFor(parts, scope.tenant).modelInfo(received.conversation.model)
  const learnt = clientTools.learnt(scope.tenant)
  const hosted = besideClient(parts.hostedTools?.of(scope.tenant) ?? [], received)
  const { part, isNew, wants } = listAnew({
    received,
    state: begun,
    keepsAside,
    policy,
    situation,
    info,
    sessionLengths,
    learnt,
    hosted,
    step,
    nowMs,
    meaning: parts.meanings === undefined ? 'none' : meaning,
  })
  const catalogue = catalogueOf(received, { part, info, learnt, hosted })
  const { restored, placed, lost } = branch
  if (!isNew) return { state: begun, restored, placed, lost, catalogue, wants }
  const state = { ...begun, overlay: withToolsPart(begun.overlay, part) }
  return { state, ...overlaid(codec, received, { state, kept }), catalogue }
}
