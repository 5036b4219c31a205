import { failureLine } from '../brief/failures.ts'
import { callsIn } from '../brief/gone-calls.ts'
import type { GoneCall } from '../brief/gone-calls.ts'
import { Room } from '../brief/room.ts'
import type { Choice } from './least-loss.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { isNoted, stepNote } from './step-note.ts'
import { stepsThatMayGo } from './whole-steps.ts'
import type { Step, StepScope } from './whole-steps.ts'

export interface StepsToLeaveOut extends StepScope {
  /** Tokens by which what is shown must shrink. */
  readonly excessTokens: number
}

/**
 * The oldest steps, all but the first, left out together: the first result of the conversation says which, what they did, and the handle that
 * brings all of them back. For conversations whose calls and lines of results fill the window by their number alone.
 */
export function leftOutSteps(context: PlanContext, shown: Rendered, wanted: StepsToLeaveOut): Choice {
  const [first, ...steps] = stepsThatMayGo(context, shown, wanted)
  const hasNote = isNoted(shown.renditions)
  const carrier = first?.find((index) => context.input.items[index]?.kind === 'tool-result')
  if (carrier === undefined) return new Map()
  const going: Step[] = []
  const failure = failureLines(context, { carrier, gone: [] }).join('\n')
  let saved = (shown.renditions[carrier]?.tokens ?? 0) - usualNote - context.summarising.count(failure)
  const noted = steps.findLastIndex((step) => step.some(hasNote))
  for (const [at, step] of steps.entries()) {
    if (at > noted && saved >= wanted.excessTokens) break
    going.push(step)
    saved += step.reduce((sum, index) => sum + (shown.renditions[index]?.tokens ?? 0), 0)
  }
  return going.length < fewestSteps || saved <= 0 ? new Map() : noteOf(context, carrier, going)
}

/** What a note takes, about. */
const usualNote = 90
/** Fewer are not worth a note. */
const fewestSteps = 3

function noteOf(context: PlanContext, carrier: number, steps: readonly Step[]): Choice {
  const gone = steps.flat()
  const lines = [...didLines(context, gone), ...failureLines(context, { carrier, gone })]
  return stepNote(context, { carrier, gone, text: lines.join('\n') })
}

const mostNames = 8

/** Which tools were called how often, and which files were changed. */
function didLines({ input: { items }, facts }: PlanContext, gone: readonly number[]): readonly string[] {
  const times = new Map<string, number>()
  const files = new Set<string>()
  for (const index of gone) {
    const item = items[index]
    if (item?.kind !== 'tool-call') continue
    const name = item.toolName ?? 'tool'
    times.set(name, (times.get(name) ?? 0) + 1)
    const { writes, edits } = facts.ofCall(item.text)
    for (const path of [...edits, ...writes]) {
      files.delete(path)
      files.add(path)
    }
  }
  const most = [...times].toSorted(([a, more], [b, less]) => less - more || (a < b ? -1 : 1)).slice(0, mostNames)
  // The newest are those that work goes on with.
  const changed = [...files].toReversed()
  const rest = changed.length > mostNames ? ` and ${changed.length - mostNames} more` : ''
  return [
    `Called: ${most.map(([name, count]) => (count === 1 ? name : `${name} ${count} times`)).join(', ')}.`,
    ...(changed.length === 0 ? [] : [`Changed: ${changed.slice(0, mostNames).join(', ')}${rest}.`]),
  ]
}

/** Of the steps left out, at least so many failures are stated, the newest: what has failed may be tried again. */
const fewestFailures = 2
/** More take at most this share of the window. */
const failuresShare = 0.05

interface Left {
  readonly carrier: number
  readonly gone: readonly number[]
}

/** The failure of the carrier, and the newest ones of what is left out: each with its step. */
function failureLines(context: PlanContext, { carrier, gone }: Left): readonly string[] {
  const { input, options, facts, room, summarising } = context
  const { items, hiddenTools } = input
  const calls = callsIn({ items, steps: options.steps, gone, facts, hiddenTools })
  const stated = (call: GoneCall): readonly string[] => {
    const line = call.isHidden ? undefined : failureLine(call, facts)
    return line === undefined ? [] : [`Failed in step ${call.step}: ${line}`]
  }
  const space = new Room(failuresShare * room.limitTokens, summarising.count)
  const newest: string[] = []
  for (const call of calls.toReversed()) {
    const lines = call.isGone ? stated(call) : []
    const fits = lines.every((line) => space.take(line))
    if (!fits && newest.length >= fewestFailures) break
    newest.unshift(...lines)
  }
  return [...calls.filter(({ result }) => result === items[carrier]).flatMap(stated), ...newest]
}
