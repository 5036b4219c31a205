import { useEffect, useRef, useState } from 'preact/hooks'
import { listen } from './events.ts'
import type { LiveEvent } from './events.ts'

/** Older ones go. */
const most = 500

/** So often the page is drawn anew, however many events come. */
const drawnEveryMs = 200

export interface LiveEvents {
  /** The newest first. */
  readonly events: readonly LiveEvent[]
  readonly isOpen: boolean
}

/** What happens at the gateway, from what it still remembers on; what comes while paused is shown afterwards. */
export function useLiveEvents(isPaused: boolean): LiveEvents {
  const [events, setEvents] = useState<readonly LiveEvent[]>([])
  const [isOpen, setIsOpen] = useState(false)
  const paused = useRef(isPaused)
  paused.current = isPaused
  useEffect(() => {
    const ending = new AbortController()
    let waiting: LiveEvent[] = []
    const timer = setInterval(() => {
      if (waiting.length === 0 || paused.current) return
      const come = waiting.toReversed()
      waiting = []
      setEvents((before) => [...come, ...before].slice(0, most))
    }, drawnEveryMs)
    void listen(ending.signal, {
      onState: setIsOpen,
      onEvent: (event) => {
        waiting.push(event)
        if (waiting.length > most) waiting.shift()
      },
    })
    return () => {
      ending.abort()
      clearInterval(timer)
    }
  }, [])
  return { events, isOpen }
}
