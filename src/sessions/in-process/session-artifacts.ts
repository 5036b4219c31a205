import { invalidInput } from '../../core/index.ts'
import type { ModelReply, Policy } from '../../core/index.ts'
import { memoryBlobs } from '../../stores/index.ts'
import type { Blobs, Store } from '../../stores/index.ts'
import { storeItemArtifacts } from '../artifacts/item-artifacts.ts'
import { storeManifest, storeReply } from '../artifacts/step-artifacts.ts'
import type { StepPlace } from '../artifacts/step-artifacts.ts'
import type { SessionTurn } from '../session-turn.ts'
import type { SessionOptions } from './session-options.ts'

/** What a session in process stores as artifacts, as a gateway does. */
export interface SessionArtifacts {
  /** The policy. Throws `invalid-input` where it moves what is large into artifacts, and there is no place for their bytes. */
  checked(policy: Policy): Policy
  /** Stores what the request names, and the manifest of its step; gives the manifest's URI where it was stored. */
  packed(turn: SessionTurn, store: Store): Promise<string | undefined>
  /** Stores the reply that ends a step: the one that calls no tools. */
  answered(turn: SessionTurn, store: Store, reply: ModelReply | undefined): Promise<void>
}

export function sessionArtifacts(options: SessionOptions): SessionArtifacts {
  const { clock = Date.now, onFailure } = options
  // Bytes in memory beside rows that outlive the process would leave URIs of nothing.
  const blobs: Blobs | undefined = options.blobs ?? (options.store === undefined ? memoryBlobs() : undefined)
  const tried = <Stored>(requestId: string, work: Promise<Stored>): Promise<Stored | undefined> =>
    work.catch((error: unknown) => {
      onFailure?.('artifacts', error, requestId)
      return undefined
    })
  return {
    checked(policy) {
      if (policy.artifacts === undefined || blobs !== undefined) return policy
      const remedy = 'Give the blobs that go with the store, such as folderBlobs(folder).'
      throw invalidInput('options.blobs', 'is missing, which `artifacts` of the policy needs', remedy)
    },
    async packed(turn, store) {
      if (blobs === undefined) return undefined
      const host = { store, blobs, clock }
      const { requestId, scope, manifest, encoded, step } = turn
      const { artifactUris: uris = [] } = manifest
      const place = { ...scope, requestId, ...step }
      const originals = encoded?.originals ?? []
      if (originals.length > 0 && uris.length > 0)
        await tried(requestId, storeItemArtifacts(host, place, { originals, uris }))
      const ofStep = placeOf(turn)
      return ofStep && options.blobs && tried(requestId, storeManifest(host, ofStep, manifest))
    },
    async answered(turn, store, reply) {
      const place = placeOf(turn)
      if (place === undefined || options.blobs === undefined || options.record !== 'content') return
      if (reply === undefined || reply.toolCalls.length > 0 || reply.text === '') return
      await tried(turn.requestId, storeReply({ store, blobs: options.blobs, clock }, place, reply.text))
    },
  }
}

function placeOf({ scope, requestId, step }: SessionTurn): StepPlace | undefined {
  const { taskId, stepId } = step ?? {}
  return taskId === undefined ? undefined : { tenant: scope.tenant, session: scope.session, requestId, taskId, stepId }
}
