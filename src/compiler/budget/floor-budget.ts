import type { AllocatorSignals, BudgetRequest } from '../../core/index.ts'
import { invalidInput, shape, signalsShape } from '../../core/index.ts'
import { proportional, usualSection } from './section-defaults.ts'
import { signalWeights } from './signal-weights.ts'

type Range = readonly [low: number, high: number]

/** Shares of the window that are taken off first. */
export interface WindowFloors {
  readonly system: number
  readonly task: number
  readonly tools: number
  readonly slack: number
}

/** Shares of what the floors leave, as ranges. */
export interface RemainderProfile {
  readonly evidence: Range
  readonly memory: Range
  readonly conversation: Range
}

export const remainderProfiles: Readonly<Record<'research' | 'requirements' | 'test-cases', RemainderProfile>> = {
  'research': { evidence: [0.55, 0.65], memory: [0.2, 0.25], conversation: [0.1, 0.15] },
  'requirements': { evidence: [0.45, 0.55], memory: [0.25, 0.3], conversation: [0.15, 0.2] },
  'test-cases': { evidence: [0.5, 0.6], memory: [0.2, 0.25], conversation: [0.1, 0.15] },
}

/** Where the floors may lie. */
const floorRanges: Readonly<Record<keyof WindowFloors, Range>> = {
  system: [0.06, 0.08],
  task: [0.06, 0.1],
  tools: [0.04, 0.06],
  slack: [0.1, 0.15],
}

export const usualFloors: WindowFloors = { system: 0.06, task: 0.08, tools: 0.05, slack: 0.1 }

/** The input of `floorBudget`. Sizes are in tokens. */
export interface FloorBudget {
  readonly windowTokens: number
  readonly floors?: WindowFloors
  readonly profile: RemainderProfile
  readonly signals?: AllocatorSignals
}

const { finite, object, optional, pair } = shape

const optionsShape = object<FloorBudget>({
  windowTokens: shape.countFrom(1),
  floors: optional(object<WindowFloors>({ system: finite, task: finite, tools: finite, slack: finite })),
  profile: object<RemainderProfile>({ evidence: pair(finite), memory: pair(finite), conversation: pair(finite) }),
  signals: optional(signalsShape),
})

/** Floors off the window, the remainder by weight: profile times signals. */
export function floorBudget(options: FloorBudget): BudgetRequest {
  shape.check(optionsShape, options, '')
  const { windowTokens, floors = usualFloors, profile, signals } = options
  for (const name of Object.keys(floorRanges) as (keyof WindowFloors)[]) {
    const [low, high] = floorRanges[name]
    if (!(floors[name] >= low && floors[name] <= high))
      throw invalidInput(
        `floors.${name}`,
        `is not between ${low} and ${high}`,
        'Give a share of the window in that range.',
      )
  }
  const shares = remainderShares(profile)
  const { weights } = signalWeights(signals)
  const floor = (share: number): number => Math.floor(share * windowTokens)
  const fixed = (section: string, share: number) => ({ ...usualSection(section, windowTokens), min: floor(share) })
  const elastic = (section: 'evidence' | 'memory' | 'history', share: number) => ({
    ...usualSection(section, windowTokens),
    weight: share * weights[section],
    beta: proportional,
  })
  return {
    windowTokens,
    maxOutputTokens: floor(floors.slack),
    sections: [
      fixed('policy', floors.system),
      fixed('task', floors.task),
      fixed('tools', floors.tools),
      elastic('evidence', shares.evidence),
      elastic('memory', shares.memory),
      elastic('history', shares.conversation),
    ],
  }
}

/**
 * One share per part, in its range, together 1: the middles of the ranges, brought to a sum of 1 within the ranges
 * by giving and taking in proportion to the room that each has left.
 */
export function remainderShares(profile: RemainderProfile): Readonly<Record<keyof RemainderProfile, number>> {
  const names = ['evidence', 'memory', 'conversation'] as const
  for (const name of names) {
    const [low, high] = profile[name]
    if (!(low >= 0 && low <= high && high <= 1))
      throw invalidInput(`profile.${name}`, 'is not a range', 'Give two rising numbers from 0 to 1.')
  }
  const lows = names.reduce((sum, name) => sum + profile[name][0], 0)
  const highs = names.reduce((sum, name) => sum + profile[name][1], 0)
  if (lows > 1 || highs < 1)
    throw invalidInput(
      'profile',
      `has shares that sum to ${round(lows)} to ${round(highs)}`,
      'Make a sum of 1 possible.',
    )
  const middle = (name: (typeof names)[number]): number => (profile[name][0] + profile[name][1]) / 2
  const missing = 1 - names.reduce((sum, name) => sum + middle(name), 0)
  const room = names.map((name) => (missing > 0 ? profile[name][1] : profile[name][0]) - middle(name))
  const roomTogether = room.reduce((sum, own) => sum + own, 0)
  const shareOf = (index: number): number =>
    middle(names[index] ?? 'evidence') + (roomTogether === 0 ? 0 : (missing * (room[index] ?? 0)) / roomTogether)
  return { evidence: shareOf(0), memory: shareOf(1), conversation: shareOf(2) }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
