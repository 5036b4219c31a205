import { steadyForm, volatileValues } from '../../core/index.ts'
import type { Item, SteadyText, VolatileValue } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'

/** An instruction with the places of its clocks and ids. */
export interface ClockedText extends SteadyText {
  readonly text: string
  readonly places: readonly VolatileValue[]
}

/** Items that stay the same from request to request are not looked through again. */
const known = new WeakMap<Item, ClockedText | undefined>()

/** What an instruction says where clocks and ids stand; undefined where it has none. */
export function clockedText(item: Item): ClockedText | undefined {
  if (!known.has(item)) known.set(item, read(item.text))
  return known.get(item)
}

function read(text: string): ClockedText | undefined {
  const places = volatileValues(text)
  if (places.length === 0) return undefined
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

/** The lines of a text whose values are others than these, as the text has them. */
export function changedLines({ text, places, values: now }: ClockedText, values: readonly string[]): readonly string[] {
  const lines = new Map<number, string>()
  for (const [index, { start, end }] of places.entries()) {
    if (now[index] === values[index]) continue
    const from = text.lastIndexOf('\n', start) + 1
    const to = text.indexOf('\n', end)
    lines.set(from, text.slice(from, to < 0 ? undefined : to).trim())
  }
  return [...lines.values()]
}
