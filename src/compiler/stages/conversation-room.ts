import type { Section } from '../../core/index.ts'
import type { TurnRoom } from '../epochs/index.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import type { Allocated } from './allocate.ts'
import type { SectionPlan } from './plan-sections.ts'

export interface RoomInput extends Pick<Allocated, 'plans' | 'granted'> {
  /** For the items; what no item owns is taken off. */
  readonly itemTokens: number
  /** What each item takes as it stands. */
  readonly standingTokens: ArrayLike<number>
  /** 1 for items that no request has shown yet and that the conversation can do without. */
  readonly free: Uint8Array
  /** Sections whose maximum the conversation must keep. */
  readonly capped: ReadonlySet<Section>
  readonly relief?: ReliefView | undefined
}

interface ConversationRoom {
  readonly limitTokens: number
  readonly caps: ReadonlyMap<Section, number>
  readonly turns?: TurnRoom
}

/** What a conversation may take, of what its sections were granted. */
export function conversationRoom(input: RoomInput): ConversationRoom {
  const { plans, granted, capped, relief } = input
  const limitTokens = Math.max(0, input.itemTokens)
  const caps = new Map<Section, number>()
  for (const { section, budget, demand } of plans) {
    if (!capped.has(section)) continue
    // Tools may take more than their share where there is room to spare; the history's share is a promise.
    caps.set(section, section === 'tools' ? (granted.get(section) ?? demand) : budget.max)
  }
  if (relief !== undefined) for (const [section, most] of collectedCaps(input, limitTokens)) caps.set(section, most)
  const turns = turnRoom(plans)
  return { limitTokens, caps, ...(turns && { turns }) }
}

function turnRoom(plans: readonly SectionPlan[]): TurnRoom | undefined {
  const { recentTurns, olderTokens = 0 } = plans.find(({ section }) => section === 'history')?.budget ?? {}
  return recentTurns === undefined ? undefined : { recentTurns, olderTokens }
}

/** What the sections of collected items may take where steps of relief choose: their maximum, or what has been sent of them. */
function collectedCaps(
  { plans, standingTokens, free, capped }: RoomInput,
  limitTokens: number,
): readonly (readonly [Section, number])[] {
  const elastic = plans.filter(({ mode, section }) => mode === 'elastic' && !capped.has(section))
  return elastic.flatMap(({ section, members, budget }) => {
    const sent = members.reduce((sum, index) => (free[index] === 1 ? sum : sum + (standingTokens[index] ?? 0)), 0)
    const most = Math.max(budget.max, sent)
    return most < limitTokens ? [[section, most] as const] : []
  })
}
