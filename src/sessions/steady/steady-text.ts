import { steadyForm, volatileValues } from '../../core/index.ts'
import type { SteadyText } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'

/** What an instruction says where clocks and ids stand; undefined where it has none. */
export function steadyText(text: string): SteadyText | undefined {
  const values = valuesIn(text)
  return values.length === 0 ? undefined : { form: sha256(steadyForm(text)), values }
}

/** The text with other values in the places of its own. */
export function withValues(text: string, values: readonly string[]): string {
  let end = 0
  let written = ''
  for (const [index, place] of volatileValues(text).entries()) {
    written += text.slice(end, place.start) + (values[index] ?? text.slice(place.start, place.end))
    end = place.end
  }
  return written + text.slice(end)
}

/** The lines of a text whose values are others than these, as the text has them. */
export function changedLines(text: string, values: readonly string[]): readonly string[] {
  const lines = new Map<number, string>()
  for (const [index, { start, end }] of volatileValues(text).entries()) {
    if (text.slice(start, end) === values[index]) continue
    const from = text.lastIndexOf('\n', start) + 1
    const to = text.indexOf('\n', end)
    lines.set(from, text.slice(from, to < 0 ? undefined : to).trim())
  }
  return [...lines.values()]
}

function valuesIn(text: string): readonly string[] {
  return volatileValues(text).map(({ start, end }) => text.slice(start, end))
}
