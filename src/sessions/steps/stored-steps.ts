import { finishStep } from '../../core/index.ts'
import type { BoardStep, TaskBoard } from '../../core/index.ts'
import type { ArtifactHost } from '../artifacts/artifact-host.ts'
import { requireEvidence, storeManifest, storeReply } from '../artifacts/step-artifacts.ts'
import type { ModelOptions } from '../compilers.ts'
import type { HostState } from './host-state.ts'
import { stepItems, stepPack } from './step-pack.ts'
import type { StepPack, StepToPack } from './step-pack.ts'

/** Where the artifacts of a host's steps are. */
export interface StepStore extends ArtifactHost {
  readonly tenant: string
}

/** A pack with the URI of its manifest, which is absent where there is no pack. */
export type StoredStepPack = StepPack & { readonly manifestUri?: string }

/**
 * As `stepPack`, and stores the pack's manifest as `artifact://tasks/{task}/step-{step}/manifest.json`. Rejects with `evidence-missing` where
 * evidence names an artifact that the tenant does not have.
 */
export async function storedStepPack(
  host: StepStore,
  state: HostState,
  asked: StepToPack & Pick<ModelOptions, 'catalogue'>,
): Promise<StoredStepPack> {
  const { catalogue, ...step } = asked
  const packed = stepPack(state, step, { ...(catalogue && { catalogue }) })
  await requireEvidence(host, host.tenant, stepItems(state, step))
  if (!packed.pack) return packed
  const place = { tenant: host.tenant, taskId: state.plan.board.taskId, stepId: asked.stepId, session: asked.sessionId }
  return { ...packed, manifestUri: await storeManifest(host, place, packed.manifest) }
}

/**
 * As `finishStep`, and stores the response as `artifact://tasks/{task}/step-{step}/response.md`, or `.json`. The packs of later steps that
 * need this one have it as evidence under that URI.
 */
export async function storedFinish(
  host: StepStore,
  board: TaskBoard,
  stepId: string,
  finished: Parameters<typeof finishStep>[2] & { readonly session?: string },
): Promise<TaskBoard> {
  const { session, ...rest } = finished
  // Throws before anything is stored.
  finishStep(board, stepId, rest)
  const { response } = rest
  if (response === undefined) return finishStep(board, stepId, rest)
  const responseUri = await storeReply(host, { tenant: host.tenant, taskId: board.taskId, stepId, session }, response)
  return finishStep(board, stepId, { ...rest, responseUri } satisfies typeof rest & Pick<BoardStep, 'responseUri'>)
}
