import { perObject, steadyForm, volatileValues } from '../../core/index.ts'
import type { Item, SteadyText, VolatileValue } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'

/** A text with the places of its clocks and ids. */
export interface ClockedText extends SteadyText {
  readonly text: string
  readonly places: readonly VolatileValue[]
}

/** What an item says where clocks and ids stand. Items that stay the same from request to request are not looked through again. */
export const clockedText = perObject((item: Item): ClockedText => clocked(item.text))

function clocked(text: string): ClockedText {
  const places = volatileValues(text)
  const values = places.map(({ start, end }) => text.slice(start, end))
  return { text, places, values, form: sha256(steadyForm(text)) }
}

/** The text with other values in the places of its own. */
export function withValues({ text, places, values: own }: ClockedText, values: readonly string[]): string {
  let end = 0
  let written = ''
  for (const [index, place] of places.entries()) {
    written += text.slice(end, place.start) + (values[index] ?? own[index] ?? '')
    end = place.end
  }
  return written + text.slice(end)
}
