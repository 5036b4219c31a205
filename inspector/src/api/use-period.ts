import { useAddress } from '../address.ts'

const allTime = 'all'

/** Times that a page can be of, as days back from now, and by what figures over that time are grouped. */
export const periods = [
  ['1', 'Last 24 hours', 'hour'],
  ['7', 'Last 7 days', 'time'],
  ['30', 'Last 30 days', 'time'],
  [allTime, 'All time', 'time'],
] as const

export interface Period {
  readonly days: string
  /** `time`: by days, or by hours where all is of one day. */
  readonly by: 'hour' | 'time'
  /** Milliseconds since the epoch; undefined for all time. */
  readonly since: number | undefined
}

const dayMs = 86_400_000
const hourMs = 3_600_000

/** The time that the address asks for. It begins at a full hour, so that the question stays the same while the page is looked at. */
export function usePeriod(): Period {
  const { query } = useAddress()
  const [days, , by] = periods.find(([value]) => value === (query['days'] ?? '7')) ?? periods[1]
  const since = days === allTime ? undefined : Math.floor(Date.now() / hourMs) * hourMs - Number(days) * dayMs
  return { days, by, since }
}
