import type { JSX } from 'preact'
import { useAddress } from '../address.ts'
import { periods, usePeriod } from '../api/use-period.ts'

/** Chooses the time that a page is of. */
export function PeriodChoice(): JSX.Element {
  const { set } = useAddress()
  const { days } = usePeriod()
  return (
    <label>
      <span class="hidden-label">Time</span>
      <select value={days} onChange={(event) => set({ days: event.currentTarget.value })}>
        {periods.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}
