import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { decodeColumns, decodeCsv, decodeMarkdown, encodeColumns, tableForms } from '../src/ladders/index.ts'

const folder = new URL('../../shared/data/', import.meta.url)

/** Structured data of one kind. */
export interface StructuredSet {
  readonly name: string
  readonly values: readonly unknown[]
}

/** Records that stand together, as an answer to a question for several of them would have it, and the most of a set. */
const together = 10
const mostValues = 30
const mostChars = 30_000

/** Of every set of recorded data: what tools have answered in JSON, or else its records. */
export function structuredSets(): readonly StructuredSet[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, values: valuesOf(name) }))
    .filter(({ values }) => values.length > 0)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function valuesOf(set: string): readonly unknown[] {
  const files = readdirSync(new URL(`${set}/`, folder)).filter(
    (file) => file.endsWith('.jsonl') && !file.includes('needles'),
  )
  const records = files.flatMap((file) => recordsIn(new URL(`${set}/${file}`, folder)))
  const results = records.flatMap(resultsIn)
  const found = results.length > 0 ? results : inChunks(records)
  return found.filter((value) => JSON.stringify(value).length <= mostChars).slice(0, mostValues)
}

function recordsIn(file: URL): readonly unknown[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line))
}

function inChunks(records: readonly unknown[]): readonly unknown[] {
  return Array.from({ length: Math.ceil(records.length / together) }, (_, at) =>
    records.slice(at * together, (at + 1) * together),
  )
}

/** JSON answers of tools in a recorded conversation. */
function resultsIn(record: unknown): readonly unknown[] {
  const { messages } = record as {
    readonly messages?: readonly { readonly role?: string; readonly content?: unknown }[]
  }
  if (!Array.isArray(messages)) return []
  return messages.flatMap(({ role, content }): readonly unknown[] => {
    if (role !== 'tool' || typeof content !== 'string' || !/^\s*[[{]/.test(content)) return []
    try {
      return [JSON.parse(content) as unknown]
    } catch {
      return []
    }
  })
}

/** A value in the forms that hold it exactly. */
export interface Written {
  readonly pretty: string
  readonly minified: string
  readonly columns?: string
  readonly csv?: string
  readonly markdown?: string
}

export const otherForms = ['minified', 'columns', 'csv', 'markdown'] as const
type OtherForm = (typeof otherForms)[number]

export function written(value: unknown): Written {
  const minified = JSON.stringify(value)
  const columns = encodeColumns(minified)
  return {
    pretty: JSON.stringify(value, null, 2),
    minified,
    ...(columns !== undefined && { columns }),
    ...tableForms(minified),
  }
}

/** What a form decodes to, as JSON without white space. */
export const decoders: Readonly<Record<OtherForm, (text: string) => string | undefined>> = {
  minified: (text) => text,
  columns: decodeColumns,
  csv: decodeCsv,
  markdown: decodeMarkdown,
}

/** Tokens of the values that a form can hold, as a share of theirs as JSON with an indent of two; undefined where it can hold none. */
export interface FormatCost {
  readonly values: number
  readonly share: number
}

export type FormatCosts = Readonly<Partial<Record<OtherForm | 'cheapest', FormatCost>>>

export function formatCosts(values: readonly unknown[], count: (text: string) => number): FormatCosts {
  const sums = new Map<string, { values: number; pretty: number; own: number }>()
  const add = (form: string, pretty: number, own: number): void => {
    const sum = sums.get(form) ?? { values: 0, pretty: 0, own: 0 }
    sums.set(form, { values: sum.values + 1, pretty: sum.pretty + pretty, own: sum.own + own })
  }
  for (const value of values) {
    const forms = written(value)
    const pretty = count(forms.pretty)
    let least = pretty
    for (const form of otherForms) {
      const text = forms[form]
      if (text === undefined) continue
      const own = count(text)
      least = Math.min(least, own)
      add(form, pretty, own)
    }
    add('cheapest', pretty, least)
  }
  return Object.fromEntries(
    Array.from(sums, ([form, { values: held, pretty, own }]) => [form, { values: held, share: own / pretty }]),
  )
}

type Row = Readonly<Record<string, unknown>>

/** The arrays of two and more objects with the same keys, wherever they stand, less the cells that are no scalars. */
export function tablesIn(value: unknown): readonly (readonly Row[])[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) && isTable(value) ? [value] : []
  return [...own, ...Object.values(value).flatMap(tablesIn)]
}

function isTable(list: readonly unknown[]): list is readonly Row[] {
  const keys = list.map((row) => (typeof row === 'object' && row !== null ? Object.keys(row).join() : ''))
  return list.length > 1 && keys[0] !== '' && !Array.isArray(list[0]) && keys.every((own) => own === keys[0])
}
