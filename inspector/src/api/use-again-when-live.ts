import { useEffect, useRef } from 'preact/hooks'
import { useLiveEvents } from './use-live-events.ts'

const everyMs = 2000

/** Asks again a little after something has happened, and not oftener than every other second, however much happens. */
export function useAgainWhenLive(agains: readonly (() => void)[]): { readonly isOpen: boolean } {
  const { events, isOpen } = useLiveEvents(false)
  const newest = events[0]?.id
  const latest = useRef(agains)
  latest.current = agains
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    if (newest === undefined) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      for (const again of latest.current) again()
    }, everyMs)
  }, [newest])
  useEffect(() => () => clearTimeout(timer.current), [])
  return { isOpen }
}
