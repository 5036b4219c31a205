import { cleanText } from './clean-text.ts'
import { decodeColumns, encodeColumns } from './column-layout.ts'
import { contentKind } from './content-kind.ts'
import type { ContentKind } from './content-kinds.ts'
import { minifyJson } from './json-source.ts'
import { jsonSpan } from './kind-json.ts'
import { saysEnds } from './marker.ts'
import { tableForms } from './table-forms.ts'

/**
 * Shorter texts that say all that a text says: JSON without white space or in columns, and where it is exact and all there is as CSV or a Markdown table, within whatever stands before and
 * after it, and anything else as a terminal would leave it to a reader. Nothing longer than the text.
 */
export function losslessForms(text: string, kind: ContentKind): readonly string[] {
  if (!mayHaveForms(text)) return []
  const forms = kind === 'json' ? jsonForms(text) : [cleanText(text, kind)]
  return forms.filter((form) => form.length < text.length)
}

const beginsJson = /^\s{0,64}[[{][\s"[{]/m
const looked = 5000

/** One look at a text tells for most that there is nothing to take away. */
export function mayHaveForms(text: string): boolean {
  return /[\u001b\r]|[ \t](?:\n|$)/.test(text) || beginsJson.test(text.slice(0, looked))
}

function jsonForms(text: string): readonly string[] {
  const span = jsonSpan(text)
  if (span === undefined) return []
  const json = text.slice(span.start, span.end)
  const compact = minifyJson(json)
  if (compact === undefined) return []
  const columns = encodeColumns(json)
  const exact = columns !== undefined && decodeColumns(columns) === compact ? [columns] : []
  // Where a table of rows without brackets ends, nobody could tell among other words. Of two that cost the same the later one is taken.
  const isAll = text.trim().length === json.length
  const forms = [compact, ...(isAll ? tables(compact, columns) : []), ...exact]
  return forms.map((form) => `${text.slice(0, span.start)}${form}${text.slice(span.end)}`)
}

/** What is a table and nothing else, the dearer form first. */
function tables(compact: string, columns: string | undefined): readonly string[] {
  if (columns?.startsWith('[(') !== true) return []
  const { markdown, csv } = tableForms(compact)
  return [...(markdown === undefined ? [] : [markdown]), ...(csv === undefined ? [] : [csv])]
}

/** Whether `shown` is a form of `text` in which nothing is lost, with or without the usual ends of its tool's results. */
export function isLosslessForm(shown: string, text: string): boolean {
  const said = saysEnds(shown) ? shown.slice(shown.indexOf('\n') + 1) : shown
  if (said.length >= text.length) return false
  return losslessForms(text, contentKind(text)).some((form) => form === said || isInside(said, form))
}

/** Most characters of a result that its usual ends take. */
const mostEnds = 800

/** Whether a text is whole lines of another, from near its beginning to near its end. */
function isInside(text: string, form: string): boolean {
  if (form.length - text.length > mostEnds) return false
  const at = `\n${form}\n`.indexOf(`\n${text}\n`)
  return at !== -1
}
