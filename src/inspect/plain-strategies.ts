import type { Item } from '../core/index.ts'
import type { RenderedMessage, Renderer } from './render.ts'
import type { Strategy } from './strategy.ts'
import type { TraceMessage, TraceRequest } from './trace.ts'

/** Everything, append-only: what every other strategy is measured against. */
export function passThrough(): Strategy {
  return {
    name: 'pass-through',
    start: (renderer) => ({ next: (request) => request.messages.map((message) => renderer.asRecorded(message)) }),
  }
}

/** The newest observations stay; all older ones are masked anew at every turn. */
export function keepLast(kept: number): Strategy {
  return {
    name: `keep-last-${kept}`,
    start: (renderer) => ({
      next(request) {
        const observations = observationsOf(request)
        return masked(renderer, request, new Set(observations.slice(0, Math.max(0, observations.length - kept))))
      },
    }),
  }
}

export interface BatchMaskOptions {
  /** Observations that may be live before a batch is masked. */
  readonly high: number
  /** Observations that stay live after a batch. */
  readonly low: number
}

/** Observations are masked in batches, so that the prefix breaks seldom. */
export function batchMask({ high, low }: BatchMaskOptions): Strategy {
  return {
    name: `batch-mask-${high}-${low}`,
    start(renderer) {
      const hidden = new Set<string>()
      return {
        next(request) {
          const live = observationsOf(request).filter((id) => !hidden.has(id))
          if (live.length > high) for (const id of live.slice(0, live.length - low)) hidden.add(id)
          return masked(renderer, request, hidden)
        },
      }
    },
  }
}

/** The oldest turns fall out as soon as the request no longer fits; the opening stays. */
export function slidingWindow(windowTokens: number): Strategy {
  return {
    name: 'sliding-window',
    start(renderer) {
      const dropped = new Set<string>()
      return {
        next(request) {
          dropOldest(renderer, { request, dropped, windowTokens })
          return request.messages
            .filter((message) => !dropped.has(message.id))
            .map((message) => renderer.asRecorded(message))
        },
      }
    },
  }
}

interface WindowState {
  readonly request: TraceRequest
  readonly dropped: Set<string>
  readonly windowTokens: number
}

function dropOldest(renderer: Renderer, { request, dropped, windowTokens }: WindowState): void {
  const turns = turnsOf(request.messages)
  const sizeOf = (messages: readonly TraceMessage[]): number =>
    messages.reduce((sum, message) => sum + (dropped.has(message.id) ? 0 : renderer.asRecorded(message).tokens), 0)
  let total = sizeOf(request.messages)
  // The opening and the newest turn always stay.
  for (const turn of turns.slice(1, -1)) {
    if (total <= windowTokens) return
    total -= sizeOf(turn)
    for (const message of turn) dropped.add(message.id)
  }
}

/** What comes before the first answer, then one turn for every answer with what follows it. */
export function turnsOf(messages: readonly TraceMessage[]): readonly (readonly TraceMessage[])[] {
  const turns: TraceMessage[][] = [[]]
  for (const message of messages) {
    if (message.role === 'assistant') turns.push([])
    turns.at(-1)?.push(message)
  }
  return turns
}

export function observationsOf(request: TraceRequest): readonly string[] {
  return request.messages.flatMap((message) =>
    message.items.filter((item) => item.kind === 'tool-result').map((item) => item.id),
  )
}

export function masked(
  renderer: Renderer,
  request: TraceRequest,
  hidden: ReadonlySet<string>,
): readonly RenderedMessage[] {
  const show = (item: Item) => (hidden.has(item.id) ? mask(item) : undefined)
  return request.messages.map((message) =>
    message.items.some((item) => hidden.has(item.id))
      ? renderer.withShown(message, show)
      : renderer.asRecorded(message),
  )
}

/** Never longer than what it stands for. */
function mask(item: Item): string | undefined {
  const text = `[Old tool output omitted: ${item.text.length} characters]`
  return text.length < item.text.length ? text : undefined
}
