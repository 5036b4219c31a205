import { PrehendError, invalidInput } from './errors.ts'
import * as shape from './shape.ts'

export const stepStates = ['ready', 'claimed', 'done'] as const
/** The state of a step: free to be claimed, claimed, or finished. */
export type StepState = (typeof stepStates)[number]

/** A step of a plan. */
export interface PlanStep {
  readonly id: string
  readonly goal: string
  /** What has to hold when it is done; at least one. */
  readonly checklist: readonly string[]
  readonly constraints?: readonly string[]
  /** Steps that must be done before. */
  readonly needs?: readonly string[]
  /** Names of the tools that it may use; all of the host's by default. */
  readonly tools?: readonly string[]
}

/** What a step has found, where it is kept and what it says. */
export interface StepEvidence {
  readonly uri: string
  readonly text: string
}

/** A step on its board. */
export interface BoardStep extends PlanStep {
  readonly state: StepState
  /** Who works on it, or has done it. */
  readonly claimedBy?: string
  readonly response?: string
  /** Where the response is kept. */
  readonly responseUri?: string
  readonly evidence?: readonly StepEvidence[]
}

/** A plan and how far it has come. A value: every change gives a new one. */
export interface TaskBoard {
  readonly taskId: string
  readonly goal: string
  readonly steps: readonly BoardStep[]
}

const { list, name, object, oneOf, optional, text } = shape

const planStepMembers: shape.Members<PlanStep> = {
  id: name,
  goal: text,
  checklist: list(text),
  constraints: optional(list(text)),
  needs: optional(list(name)),
  tools: optional(list(name)),
}
type Plan = Omit<TaskBoard, 'steps'> & { readonly steps: readonly PlanStep[] }
const planShape = object<Plan>({ taskId: name, goal: text, steps: list(object<PlanStep>(planStepMembers)) })

const foundMembers: shape.Members<Pick<BoardStep, 'response' | 'responseUri' | 'evidence'>> = {
  response: optional(text),
  responseUri: optional(text),
  evidence: optional(list(object<StepEvidence>({ uri: text, text }))),
}
const finishShape = object<{ readonly by: string } & Pick<BoardStep, 'response' | 'responseUri' | 'evidence'>>({
  by: name,
  ...foundMembers,
})

export const boardShape = object<TaskBoard>({
  taskId: name,
  goal: text,
  steps: list(
    object<BoardStep>({ ...planStepMembers, state: oneOf(stepStates), claimedBy: optional(name), ...foundMembers }),
  ),
})

/** A plan of which nothing is done. Throws `invalid-input` where ids stand twice, or a step needs one that is not before it. */
export function taskBoard(plan: Plan): TaskBoard {
  shape.check(planShape, plan, 'plan')
  const before = new Set<string>()
  for (const [index, { id, needs = [], checklist }] of plan.steps.entries()) {
    if (before.has(id)) throw invalidInput(`steps[${index}].id`, 'stands twice', 'Give every step an id of its own.')
    if (checklist.length === 0)
      throw invalidInput(`steps[${index}].checklist`, 'is empty', 'Say what has to hold when the step is done.')
    const unknown = needs.find((need) => !before.has(need))
    if (unknown !== undefined)
      throw invalidInput(`steps[${index}].needs`, `names ${unknown}, which is no step before it`, 'Order the steps.')
    before.add(id)
  }
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, state: 'ready' })) }
}

/** Steps that may be claimed now: those that wait for nothing. */
export function claimable(board: TaskBoard): readonly BoardStep[] {
  shape.check(boardShape, board, 'board')
  const { steps } = board
  const done = new Set(steps.filter(({ state }) => state === 'done').map(({ id }) => id))
  return steps.filter(({ state, needs = [] }) => state === 'ready' && needs.every((need) => done.has(need)))
}

/** The board with a step claimed. Throws `conflict` where somebody has it or it is done, `invalid-input` where it still waits. */
export function claimStep(board: TaskBoard, stepId: string, by: string): TaskBoard {
  const step = stepOf(board, stepId)
  if (step.state !== 'ready') throw taken(step)
  if (!claimable(board).includes(step))
    throw invalidInput('stepId', `${stepId} waits for ${step.needs?.join(', ')}`, 'Do these first.')
  return withStep(board, { ...step, state: 'claimed', claimedBy: by })
}

/** Gives a claimed step back. Throws `conflict` where somebody else has it. */
export function releaseStep(board: TaskBoard, stepId: string, by: string): TaskBoard {
  const { claimedBy: _claimedBy, ...step } = claimedStep(board, stepId, by)
  return withStep(board, { ...step, state: 'ready' })
}

/** The board with a step done, and what came of it. Throws `conflict` unless it is claimed by the same. */
export function finishStep(
  board: TaskBoard,
  stepId: string,
  finished: { readonly by: string } & Pick<BoardStep, 'response' | 'responseUri' | 'evidence'>,
): TaskBoard {
  shape.check(finishShape, finished, 'finished')
  const { by, ...found } = finished
  return withStep(board, { ...claimedStep(board, stepId, by), ...found, state: 'done' })
}

/** A step that this one has claimed. Throws `conflict` where it is not claimed, or by somebody else. */
export function claimedStep(board: TaskBoard, stepId: string, by: string): BoardStep {
  const step = stepOf(board, stepId)
  if (step.state !== 'claimed' || step.claimedBy !== by) throw taken(step)
  return step
}

function stepOf(board: TaskBoard, stepId: string): BoardStep {
  shape.check(boardShape, board, 'board')
  shape.check(name, stepId, 'stepId')
  const { steps, taskId } = board
  const step = steps.find(({ id }) => id === stepId)
  if (step) return step
  throw invalidInput(
    'stepId',
    `${stepId} is no step of ${taskId}`,
    `There are ${steps.map(({ id }) => id).join(', ')}.`,
  )
}

function taken({ id, state, claimedBy }: BoardStep): PrehendError {
  const by = claimedBy === undefined ? '' : ` by ${claimedBy}`
  const remedy = 'Read the board again, and choose another step.'
  return new PrehendError('conflict', `Step ${id} is ${state}${by}. ${remedy}`, { what: `step ${id}`, remedy })
}

function withStep(board: TaskBoard, step: BoardStep): TaskBoard {
  return { ...board, steps: board.steps.map((each) => (each.id === step.id ? step : each)) }
}
