import { useEffect, useRef } from 'preact/hooks'
import { useLiveEvents } from './use-live-events.ts'

const everyMs = 2000

/** Asks again a little after something has happened, and not oftener than every other second, however much happens. */
export function useAgainWhenLive(agains: readonly (() => void)[]): { readonly isOpen: boolean } {
  const { events, isOpen } = useLiveEvents(false)
  const newest = events[0]?.id
  const now = useRef({ newest, agains })
  now.current = { newest, agains }
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    const soon = (): void => {
      const seen = now.current.newest
      timer.current = setTimeout(() => {
        timer.current = undefined
        for (const again of now.current.agains) again()
        // What came last has had no time to end.
        if (now.current.newest !== seen) soon()
      }, everyMs)
    }
    if (newest !== undefined && timer.current === undefined) soon()
  }, [newest])
  useEffect(() => () => clearTimeout(timer.current), [])
  return { isOpen }
}
