import type { BudgetRequest, Ledger, Outcome, Pack } from '../../core/index.ts'
import { stepPack, storedStepPack } from '../../sessions/index.ts'
import type { HostState, StepReceipt, StepStore, StepToPack, StoredStepPack } from '../../sessions/index.ts'
import { hostCall } from './host-call.ts'
import type { AdkCall } from './host-call.ts'
import { idle } from './idle.ts'
import { lastUserText, withStepPack } from './step-request.ts'
import type { BasePlugin, LlmRequest } from './types.ts'

/** Sessions of which the last pack is known. */
const mostSessions = 1000

/** Calls for one question go on from the same pack, so that what stands behind it stays in the cache. */
interface LastPack {
  readonly question: string
  readonly before: Ledger | undefined
  readonly after: Ledger
}

/** The step that a call is made for, and what its host knows. */
export interface AdkStep {
  readonly state: HostState
  readonly stepId: string
  /** Who has claimed it. */
  readonly by: string
  readonly budget: BudgetRequest
  readonly policy?: NonNullable<StepToPack['policy']>
}

/** Options of `prehendSteps`. */
export interface StepOptions {
  /** The step that a call is made for; calls without one go as they came. */
  readonly step: (call: AdkCall) => AdkStep | undefined
  /** Told of each pack before it is sent, and of what did not fit and goes as it came. */
  readonly onPacked?: (told: {
    readonly outcome: Outcome
    readonly pack?: Pack
    readonly receipt?: StepReceipt
    /** Of the pack's manifest, where there are `artifacts`. */
    readonly manifestUri?: string
    readonly call: AdkCall
  }) => void
  /** Where manifests of packs are stored, and evidence is looked up: see `storedStepPack`. Without them nothing is stored. */
  readonly artifacts?: StepStore
  /** The time that receipts are dated by; that of the machine by default. */
  readonly now?: () => Date
}

/**
 * Sends, instead of what ADK would, the pack of the step that an agent works on:
 *
 * ```ts
 * const steps = prehendSteps({ step: () => ({ state, stepId: 'find', by: 'ann', budget: { windowTokens: 32_000 } }) })
 * const runner = new InMemoryRunner({ agent, plugins: [steps] })
 * ```
 *
 * A step that is not claimed ends the call in a `conflict`.
 */
export function prehendSteps({ step, onPacked, artifacts, now = () => new Date() }: StepOptions): BasePlugin {
  const packed = new WeakMap<LlmRequest, LlmRequest['contents']>()
  const packs = new Map<string, LastPack>()
  return Object.assign(Object.create(idle) as BasePlugin, {
    name: 'prehend-steps',
    async beforeModelCallback({ callbackContext, llmRequest }) {
      // What is packed stays as it is, however often it is asked for.
      if (packed.get(llmRequest) === llmRequest.contents) return undefined
      const call = hostCall(callbackContext, llmRequest)
      const own = step(call)
      const request = lastUserText(llmRequest)
      if (!own || request === undefined) return undefined
      const { state, ...asked } = own
      const createdAt = now().toISOString()
      const { appName, userId, sessionId } = call
      const session = JSON.stringify([appName, userId, sessionId])
      const question = JSON.stringify([asked.stepId, request])
      const last = packs.get(session)
      const before = last?.question === question ? last.before : last?.after
      const toPack = { ...asked, sessionId, request, createdAt, ...(before && { ledger: before }) }
      const made: StoredStepPack = artifacts ? await storedStepPack(artifacts, state, toPack) : stepPack(state, toPack)
      const { pack, receipt, outcome, ledger, manifestUri } = made
      const parts = {
        ...(pack && { pack }),
        ...(receipt && { receipt }),
        ...(manifestUri !== undefined && { manifestUri }),
      }
      onPacked?.({ outcome, call, ...parts })
      if (!pack || !receipt) return undefined
      packs.delete(session)
      packs.set(session, { question, before, after: ledger })
      for (const oldest of packs.keys()) if (packs.size > mostSessions) packs.delete(oldest)
      Object.assign(llmRequest, withStepPack(llmRequest, pack, receipt.tools))
      packed.set(llmRequest, llmRequest.contents)
      return undefined
    },
  } satisfies Partial<BasePlugin>)
}
