import { claimedStep, evidence, shape } from '../../core/index.ts'
import type { BudgetRequest, CompileResult, Item, Ledger, Situation, TaskBoard } from '../../core/index.ts'
import { contextPackManifest } from '../../compiler/index.ts'
import type { ContextPackManifest, PolicyChoice } from '../../compiler/index.ts'
import { compile } from '../compilers.ts'
import type { ModelOptions } from '../compilers.ts'
import { hostItems, hostStateShape } from './host-state.ts'
import type { HostState, MemoryHit } from './host-state.ts'

/** The step that `stepPack` makes a request for. */
export interface StepToPack {
  readonly sessionId: string
  readonly stepId: string
  /** Who has claimed the step. */
  readonly by: string
  /** The user's words. */
  readonly request: string
  readonly budget: BudgetRequest
  readonly policy?: PolicyChoice
  /** What the step is part of: selects the policy's overrides. */
  readonly situation?: Situation
  readonly model?: string
  /** ISO-8601. */
  readonly createdAt: string
  /** As the pack before it left it, so that what the provider's cache holds stays where it is. */
  readonly ledger?: Ledger
}

/** By what a pack is found again in its host's records. */
export interface StepReceipt extends ContextPackManifest {
  readonly sessionId: string
  /** Of all events of the session, in order, up to the pack. */
  readonly eventIds: readonly string[]
  readonly taskId: string
  readonly stepId: string
  readonly tools: readonly string[]
  readonly memory: readonly Pick<MemoryHit, 'id' | 'learntAt'>[]
  /** Where in the state of the host each item stands, by its id. */
  readonly sources: Readonly<Record<string, string>>
}

/** `receipt` is absent where there is no pack. */
export type StepPack = CompileResult & { readonly receipt?: StepReceipt }

/** What `compile` does not check. */
const stepToPackShape = shape.object<Pick<StepToPack, 'sessionId' | 'stepId' | 'by' | 'request' | 'createdAt'>>({
  sessionId: shape.name,
  stepId: shape.name,
  by: shape.name,
  request: shape.text,
  createdAt: shape.text,
})

/**
 * The pack of a step that is claimed: its goal, checklist and constraints, the tools that it may use, what the host knows, what was
 * said, and what the steps before it have found. The state stays as it is. Throws `conflict` where the step is not claimed by the same.
 */
export function stepPack(state: HostState, asked: StepToPack, options: Pick<ModelOptions, 'catalogue'> = {}): StepPack {
  shape.check(hostStateShape, state, 'state')
  shape.check(stepToPackShape, asked, 'asked')
  const { board } = state.plan
  const step = claimedStep(board, asked.stepId, asked.by)
  const items = stepItems(state, asked)
  const { budget, policy, situation, model, request, ledger } = asked
  const compiled = compile(
    {
      items,
      budget,
      layout: 'payload',
      ...(policy && { policy }),
      ...(situation && { situation }),
      ...(model !== undefined && { model }),
      ...(ledger && { ledger }),
      scope: { taskId: board.taskId, stepId: step.id, agent: asked.by, ...(step.tools && { tools: step.tools }) },
      frame: {
        goal: board.goal,
        step: step.goal,
        acceptance: step.checklist,
        request,
        ...(step.constraints && { constraints: step.constraints }),
      },
    },
    options,
  )
  return compiled.pack ? { ...compiled, receipt: receiptOf(state, asked, { ...compiled, items }) } : compiled
}

/** What a pack of the step may hold, before anything is chosen. Throws `conflict` where the step is not claimed by the same. */
export function stepItems(state: HostState, { stepId, by }: Pick<StepToPack, 'stepId' | 'by'>): readonly Item[] {
  const { board } = state.plan
  const step = claimedStep(board, stepId, by)
  const tools = state.tools.filter(({ name }) => step.tools?.includes(name) ?? true)
  return [...hostItems({ ...state, tools }), ...foundBefore(board, step.needs)]
}

/** What the steps that this one needs have found, and all steps before those. */
function foundBefore({ taskId, steps }: TaskBoard, needs: readonly string[] = []): readonly Item[] {
  const needed = new Set(needs)
  for (const { id, needs: theirs = [] } of steps.toReversed()) {
    if (needed.has(id)) for (const need of theirs) needed.add(need)
  }
  return steps
    .filter(({ id }) => needed.has(id))
    .flatMap(({ id, response, responseUri = `step://${taskId}/${id}`, evidence: found = [] }) => {
      const answer = response === undefined ? [] : [{ uri: responseUri, text: response }]
      return [...answer, ...found].map(({ uri, text }) =>
        evidence(text, { sourceId: 'plan', uri, lineage: `step ${id}` }, { id: `plan/${id}/${uri}` }),
      )
    })
}

function receiptOf(
  { plan, knowledge, events }: HostState,
  { sessionId, stepId, createdAt }: StepToPack,
  { manifest, items }: CompileResult & { readonly items: readonly Item[] },
): StepReceipt {
  return {
    ...contextPackManifest(manifest, createdAt),
    sessionId,
    eventIds: events.map(({ id }) => id),
    taskId: plan.board.taskId,
    stepId,
    tools: items.flatMap(({ section, toolName }) => (section === 'tools' && toolName !== undefined ? [toolName] : [])),
    memory: knowledge.memory.map(({ id, learntAt }) => ({ id, learntAt })),
    sources: Object.fromEntries(items.map(({ id, provenance }) => [id, provenance?.sourceId ?? ''])),
  }
}
