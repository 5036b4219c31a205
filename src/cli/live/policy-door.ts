import type { JsonObject, Policy } from '../../core/index.ts'
import { isPrehendError } from '../../core/index.ts'
import { openSession } from '../../sessions/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import type { LiveProvider, LiveReply } from './live-provider.ts'

/** The name of the baseline: requests go as the agent writes them. */
export const baselineName = 'off'

export interface DoorTurn {
  /** As the agent sees it. */
  readonly reply: JsonObject
  /** What each request of the turn cost; the first is the agent's own, the others answered `rehydrate`. */
  readonly rounds: readonly LiveReply[]
  readonly rehydrations: number
}

/** What a request of the agent goes through: a session of the library, or nothing. */
export type PolicyDoor = (body: JsonObject, signal: AbortSignal) => Promise<DoorTurn>

/** Undefined is the baseline. */
export function policyDoor(policy: Policy | undefined, provider: LiveProvider, catalogue: ModelCatalogue): PolicyDoor {
  if (policy === undefined) {
    return async (body, signal) => {
      const round = await provider.ask(body, signal)
      return { reply: round.reply, rounds: [round], rehydrations: 0 }
    }
  }
  const store = memoryStore()
  const session = openSession({ policy, store, catalogue, id: 'live' })
  return async (body, signal) => {
    const packed = await session.pack(body)
    const rounds: LiveReply[] = []
    let request: JsonObject | undefined = packed.request
    while (request !== undefined) {
      try {
        rounds.push(await provider.ask(request, signal))
      } catch (error) {
        await packed.refused(isPrehendError(error) && error.code === 'upstream-refused' ? statusOf(error.data) : 502)
        throw error
      }
      request = await packed.next(rounds.at(-1)?.reply ?? {})
    }
    const reply = await packed.answered(rounds.at(-1)?.reply ?? {})
    const id = packed.receipt?.requestId
    const receipt = id === undefined ? undefined : await store.read('receipts').get('default', id)
    return { reply, rounds, rehydrations: receipt?.result?.rehydrations ?? 0 }
  }
}

function statusOf(data: object): number {
  return 'status' in data && typeof data.status === 'number' ? data.status : 502
}
