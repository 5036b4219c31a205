import type { EpochPolicy, Item } from '../../core/index.ts'
import { isAsked } from '../items/asked.ts'
import { isSummarised } from './summarised.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { oldSteps } from './usual-tiers.ts'
import type { Tier } from './usual-tiers.ts'

/**
 * What is shortened only where a request would not fit otherwise, whatever the policy keeps: the model's own calls down to first lines, what it
 * said, results down to one line, whole steps down to a note; then what the user said between the first message and the newest. The oldest go first. Instructions and the
 * newest message stay whole.
 */
export function floorTiers(context: PlanContext): readonly Tier[] {
  const floor = floorOf(context)
  return [
    ...[0.5, 0.75, 1].map((share): Tier => ({ ...floor, members: oldest(share, isOwn) })),
    ...[0.5, 1].map((share): Tier => ({ ...floor, members: oldest(share, isRead) })),
    oldSteps(floor.policy, 2),
    ...[0.5, 1].map((share): Tier => ({ ...floor, members: oldest(share, isBetween) })),
  ]
}

/**
 * The newest reply, where something stands behind it, and the first message of the user, which says what the task is: that keeps its beginning
 * and what it insists on.
 */
export function lastTiers(context: PlanContext): readonly Tier[] {
  return [newestReplyTier(context), firstMessageTier(context)]
}

export function newestReplyTier(context: PlanContext): Tier {
  return { ...floorOf(context), members: newestReply }
}

export function firstMessageTier(context: PlanContext): Tier {
  return { ...floorOf(context), rungs: ['lossless', 'trimmed'], members: firstMessage }
}

function floorOf({ input }: PlanContext): Pick<Tier, 'policy' | 'outline' | 'mustFit'> {
  const policy: EpochPolicy = {
    ...input.policy.epochs,
    lowestRung: 'line',
    lineWorth: 1,
    ownCalls: 'any',
    media: 'any',
    callTokens: 24,
    keepTokens: 0,
    keepFull: 0,
    keepErrors: 0,
  }
  return { policy, outline: true, mustFit: true }
}

type Holds = (item: Item, index: number, view: View) => boolean

interface View {
  /** The newest reply; what stands behind it is unread. */
  readonly read: number
  readonly firstAsked: number
  readonly lastAsked: number
}

const isOwn: Holds = (item, index, { read }) => index < read && isSaidOrCalled(item)

function isSaidOrCalled({ kind, role }: Item): boolean {
  return role === 'assistant' && (kind === 'tool-call' || kind === 'text')
}

const isRead: Holds = ({ kind, role }, index, { read }) =>
  index < read &&
  (kind === 'tool-result' || kind === 'reasoning' || (kind === 'media' && role === 'tool') || isOwnText(kind, role))

function isOwnText(kind: Item['kind'], role: Item['role']): boolean {
  return kind === 'text' && role === 'assistant'
}

const isBetween: Holds = (item, index, { firstAsked, lastAsked }) =>
  isAsked(item) && index > firstAsked && index < lastAsked

const newestReply: Tier['members'] = (context, rendered) => {
  const { items } = context.input
  const read = items.findLastIndex(({ role }) => role === 'assistant')
  const start = items.findLastIndex(({ role }, index) => index < read && role !== 'assistant') + 1
  if (read === items.length - 1) return []
  return membersOf(context, rendered, (item, index) => index >= start && index <= read && isSaidOrCalled(item))
}

const firstMessage: Tier['members'] = (context, rendered) =>
  membersOf(context, rendered, (_, index, { firstAsked, lastAsked }) => index === firstAsked && index < lastAsked)

function oldest(share: number, holds: Holds): Tier['members'] {
  return (context, rendered) => {
    const found = membersOf(context, rendered, holds)
    return found.slice(0, Math.ceil(found.length * share))
  }
}

function membersOf({ input: { items } }: PlanContext, { renditions }: Rendered, holds: Holds): readonly number[] {
  const view: View = {
    read: items.findLastIndex(({ role }) => role === 'assistant'),
    firstAsked: items.findIndex(isAsked),
    lastAsked: newestMessage(items),
  }
  return items.flatMap((item, index) => {
    if (item.section !== 'history' || item.pin === true || item.frozen === true) return []
    const shown = renditions[index]
    return !isSummarised(shown) && (shown?.tokens ?? 0) >= smallest && holds(item, index, view) ? [index] : []
  })
}

/** In tokens; what is smaller gains next to nothing. */
const smallest = 40

/** Where the newest message of the user begins: all of its parts stand. */
function newestMessage(items: readonly Item[]): number {
  let index = items.findLastIndex(isAsked)
  while (index > 0 && isAsked(items[index - 1])) index -= 1
  return index
}
