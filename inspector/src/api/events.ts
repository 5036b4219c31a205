import { request } from './client.ts'

/** One event of the gateway's stream. */
export interface LiveEvent {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface Listening {
  /** Only what happens in this session. */
  readonly session?: string | undefined
  /** From now on, and not from the first that the gateway still remembers. */
  readonly isFromNow?: boolean
  readonly onEvent: (event: LiveEvent) => void
  /** Whether the stream is open. */
  readonly onState: (isOpen: boolean) => void
}

/**
 * Listens until the signal ends it, and begins again where it was cut off. `EventSource` cannot send a token, so the stream
 * is read by hand.
 */
export async function listen(
  signal: AbortSignal,
  { session, isFromNow = false, onEvent, onState }: Listening,
): Promise<void> {
  let last = isFromNow ? '' : '0'
  let unnumbered = 0
  for (let pauseMs = 500; !signal.aborted; pauseMs = Math.min(pauseMs * 2, 10_000)) {
    try {
      const response = await request('/v1/events', { params: { last, session }, signal })
      onState(true)
      pauseMs = 500
      await readEvents(response, (event) => {
        // What tells of others that were missed has no number.
        last = event.id || last
        onEvent({ ...event, id: event.id || `${last} ${(unnumbered += 1)}` })
      })
    } catch {
      if (signal.aborted) return
    }
    onState(false)
    await new Promise((done) => setTimeout(done, pauseMs))
  }
}

async function readEvents(response: Response, onEvent: (event: LiveEvent) => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event) onEvent(event)
    }
  }
}

function eventOf(block: string): LiveEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const cut = line.indexOf(':')
    if (cut > 0) fields.set(line.slice(0, cut), line.slice(cut + 1).trimStart())
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  try {
    return {
      id: fields.get('id') ?? '',
      type: fields.get('event') ?? 'message',
      data: JSON.parse(data) as LiveEvent['data'],
    }
  } catch {
    return undefined
  }
}
