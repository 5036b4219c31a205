import type { ReplyEvent } from '../../core/index.ts'

/** Where a stream of reply events stands: one call is told at a time, what comes meanwhile waits. A value. */
export interface InTurn {
  /** The call that is being told. */
  readonly open?: number | undefined
  /** Whether it takes an object and none has come. */
  readonly isBare?: boolean
  readonly waiting: readonly ReplyEvent[]
}

export const nothingOpen: InTurn = { waiting: [] }

export interface InTurnStep {
  readonly state: InTurn
  readonly events: readonly ReplyEvent[]
}

/**
 * Puts events in an order in which calls follow one another, each with its end; arguments that never come are an empty object. Some servers tell the pieces of parallel
 * calls mixed, and never say that one is over: what is told beside the first then waits for the end of the reply.
 */
export function inTurn(before: InTurn, events: readonly ReplyEvent[]): InTurnStep {
  let state = before
  const out: ReplyEvent[] = []
  for (const event of events) state = next(state, event, out)
  return { state, events: out }
}

function next(state: InTurn, event: ReplyEvent, out: ReplyEvent[]): InTurn {
  const { open, waiting } = state
  if (event.kind === 'end' || event.kind === 'failed') {
    // A call that was cut off is no call without arguments.
    flush(state, out, event.kind === 'end' && event.reason !== 'length')
    out.push(event)
    return nothingOpen
  }
  if (open === undefined) {
    // Of a call that is over, or never began.
    if (event.kind === 'call-end' || event.kind === 'arguments') return state
    out.push(event)
    return event.kind === 'call' ? { open: event.call, isBare: event.isText !== true, waiting: [] } : state
  }
  if (!isOf(event, open)) return { ...state, waiting: [...waiting, event] }
  if (event.kind === 'call-end') fill(state, out)
  out.push(event)
  return event.kind === 'call-end' ? retold(waiting, out) : { ...state, isBare: false }
}

/** What has waited, as if it came now. */
function retold(waiting: readonly ReplyEvent[], out: ReplyEvent[]): InTurn {
  let state = nothingOpen
  for (const event of waiting) state = next(state, event, out)
  return state
}

function fill({ open, isBare }: InTurn, out: ReplyEvent[]): void {
  if (open !== undefined && isBare === true) out.push({ kind: 'arguments', call: open, text: '{}' })
}

/** Everything that waits, when nothing more can come. */
function flush(state: InTurn, out: ReplyEvent[], isWhole: boolean): void {
  const { open, waiting } = state
  if (open === undefined) return
  const own = waiting.filter((event) => isOf(event, open))
  out.push(...own)
  if (isWhole && own.length === 0) fill(state, out)
  out.push({ kind: 'call-end', call: open })
  flush(
    retold(
      waiting.filter((event) => !isOf(event, open)),
      out,
    ),
    out,
    isWhole,
  )
}

function isOf(event: ReplyEvent, open: number): boolean {
  return 'call' in event && event.kind !== 'call' && event.call === open
}
