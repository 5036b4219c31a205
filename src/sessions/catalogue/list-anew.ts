import { composePolicy } from '../../compiler/index.ts'
import type { Policy, SessionLengths, Situation, ToolsPart, WireExchange } from '../../core/index.ts'
import type { HostStep } from '../../stores/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'
import { cachePricesOf, tokenizerOf } from '../../tokens/index.ts'
import type { LearntTools, QueryMeaning } from '../../tools/index.ts'
import type { LiveState } from '../live-state.ts'
import { isCold } from '../offered-tools.ts'
import type { MeaningAsked } from '../meanings/meanings.ts'
import { chooseListed, meaningFor, stepName } from './choose-listed.ts'
import { tokensByTool } from './definition-tokens.ts'
import { defersTools } from './defers-tools.ts'
import type { HostedTool } from './hosted-tools.ts'
import { functionsOf, toolsPartOf } from './listed-tools.ts'

export interface ToolsToList {
  readonly received: WireExchange
  readonly state: LiveState
  readonly policy: Policy
  readonly situation?: Situation | undefined
  readonly info: ModelInfo
  readonly sessionLengths?: SessionLengths | undefined
  readonly nowMs: number
  /** Whether the provider that will be asked is known to keep definitions aside. */
  readonly keepsAside?: (() => boolean) | undefined
  /** From earlier conversations of the tenant. */
  readonly learnt?: LearntTools | undefined
  /** Tools of the host that the model may find. */
  readonly hosted: readonly HostedTool[]
  /** The step of the host that the request is made for. */
  readonly step?: HostStep | undefined
  /** The request and its tools as vectors; `none` where there are none to be had, undefined where nobody has asked yet. */
  readonly meaning?: QueryMeaning | 'none' | undefined
}

export interface Listing {
  readonly part: ToolsPart | undefined
  readonly isNew: boolean
  /** What is to be known before tools are chosen, which were not. */
  readonly wants?: MeaningAsked
}

/**
 * Which of the client's tools a request defines, where that may change at no cost: with the first request of a conversation, when its
 * cache is cold, and when the client has changed what stood; with `sticky`, at the beginning of each step of the host, too. Else what stood before.
 */
export function listAnew(asked: ToolsToList): Listing {
  const { state, received, info, sessionLengths, learnt, hosted, meaning } = asked
  const before = toolsPartOf(state.overlay)
  const isUncached = before !== undefined && info.cache.ttlMs[0] === undefined
  const step = stepName(asked.step)
  const isNewStep = step !== undefined && before !== undefined && before.step !== step
  const isFree = !isUncached && (isCold(asked) || isChanged(received, state.received, before))
  if (!isNewStep && !isFree) return { part: before, isNew: false }
  const { policy } = composePolicy(asked.policy, asked.situation ?? {})
  if (!isFree && policy.tools?.selection !== 'sticky') return { part: before, isNew: false }
  const wants = meaning === undefined ? meaningFor({ policy, received, step: asked.step }) : undefined
  if (wants !== undefined) return { part: before, isNew: false, wants }
  const part = chooseListed({
    received,
    policy,
    before,
    prices: cachePricesOf(info),
    sessionLengths,
    learnt,
    hosted,
    step: asked.step,
    meaning: meaning === 'none' ? undefined : meaning,
    defers: defersTools(received.wire.dialect, info) && (policy.tools?.deferred ?? asked.keepsAside?.() ?? false),
    tokens: () => tokensByTool(received, info),
    count: tokenizerOf(info).count,
  })
  return isSame(part, before) ? { part: before, isNew: false } : { part, isNew: true }
}

/** Whether other definitions would stand at the front than the last request had. */
function isChanged(received: WireExchange, last: WireExchange | undefined, part: ToolsPart | undefined): boolean {
  if (last === undefined || last.conversation.tools === received.conversation.tools) return false
  const namesIn = (exchange: WireExchange): string =>
    functionsOf(exchange)
      .flatMap(({ name }) => (part === undefined || part.isWhole || part.listed.includes(name) ? [name] : []))
      .join('\n')
  return namesIn(received) !== namesIn(last)
}

function isSame(one: ToolsPart | undefined, other: ToolsPart | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  const isSameKind = one.isWhole === other.isWhole && one.isDeferred === other.isDeferred && one.step === other.step
  return isSameKind && one.about === other.about && one.listed.join('\n') === other.listed.join('\n')
}
