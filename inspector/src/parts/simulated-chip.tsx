import type { JSX } from 'preact'
import { simulatedWords } from '../words.ts'

interface SimulatedChipProps {
  readonly sessions: readonly { readonly simulated: boolean }[]
}

/** Says that dollars were not spent, where the simulated provider has answered. */
export function SimulatedChip({ sessions }: SimulatedChipProps): JSX.Element | null {
  const words = simulatedWords(sessions)
  return words === undefined ? null : <span class="chip warn">{words}</span>
}
