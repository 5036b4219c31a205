import { describe, expect, it } from 'vitest'
import { ladderFor } from '../src/ladders/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { decoders, formatCosts, otherForms, structuredSets, tablesIn, written } from './format-costs.ts'
import type { FormatCosts } from './format-costs.ts'

const { count } = memoCounter(encodingTokenizer('o200k_base'))
const sets = structuredSets()

type Range = readonly [least: number, most: number]

/** Shares of JSON with an indent of two: minified, and the cheapest exact form; texts are the same in any form, so it depends on how much of a set is text. */
const ranges: Readonly<Record<string, { readonly minified: Range; readonly cheapest: Range }>> = {
  'bfcl-memory': { minified: [0.67, 0.73], cheapest: [0.53, 0.59] },
  'coding-sessions': { minified: [0.66, 0.72], cheapest: [0.66, 0.72] },
  'defi-api': { minified: [0.61, 0.67], cheapest: [0.57, 0.63] },
  'injection': { minified: [0.7, 0.76], cheapest: [0.53, 0.59] },
  'intent-routing': { minified: [0.61, 0.67], cheapest: [0.46, 0.52] },
  'locomo': { minified: [0.66, 0.72], cheapest: [0.46, 0.52] },
  'mcp-catalogs': { minified: [0.69, 0.75], cheapest: [0.64, 0.7] },
  'mcp-traces': { minified: [0.89, 0.95], cheapest: [0.88, 0.94] },
  'nq-open': { minified: [0.89, 0.95], cheapest: [0.84, 0.9] },
  'pii': { minified: [0.61, 0.67], cheapest: [0.53, 0.59] },
  'provider-responses': { minified: [0.77, 0.83], cheapest: [0.77, 0.83] },
  'scifact': { minified: [0.89, 0.95], cheapest: [0.87, 0.93] },
  'semantic-cache': { minified: [0.82, 0.88], cheapest: [0.74, 0.8] },
  'tau-bench': { minified: [0.61, 0.67], cheapest: [0.53, 0.59] },
  'tau2-knowledge': { minified: [0.93, 0.99], cheapest: [0.91, 0.97] },
  'tool-retrieval': { minified: [0.69, 0.75], cheapest: [0.62, 0.68] },
}

/** Of the tables of a set that have short cells. */
const ofTables: Readonly<Record<string, { readonly [Form in 'csv' | 'markdown' | 'columns']: Range }>> = {
  'tau-bench': { csv: [0.38, 0.46], markdown: [0.55, 0.65], columns: [0.45, 0.53] },
  'defi-api': { csv: [0.3, 0.38], markdown: [0.48, 0.58], columns: [0.56, 0.64] },
  'mcp-catalogs': { csv: [0.36, 0.46], markdown: [0.5, 0.6], columns: [0.59, 0.69] },
  'pii': { csv: [0.32, 0.42], markdown: [0.56, 0.66], columns: [0.46, 0.56] },
  'intent-routing': { csv: [0.44, 0.54], markdown: [0.5, 0.6], columns: [0.45, 0.55] },
}

function expectWithin(costs: FormatCosts, form: keyof FormatCosts, [least, most]: Range): void {
  const share = costs[form]?.share ?? Number.NaN
  const isWithin = share >= least && share <= most
  expect({ form, share, isWithin }).toEqual({ form, share, isWithin: true })
}

describe('structured data', () => {
  it('N-33: every recorded set that has any is measured', () => {
    expect(sets.map(({ name }) => name)).toEqual(Object.keys(ranges).toSorted())
  })

  it.each(sets)(
    'C-022, N-33: the forms of $name cost what is stated, against JSON with an indent',
    ({ name, values }) => {
      const costs = formatCosts(values, count)
      const stated = ranges[name]
      if (stated === undefined) throw new Error(`no range is stated for ${name}`)
      for (const form of ['minified', 'cheapest'] as const) expectWithin(costs, form, stated[form])
      const tables = formatCosts(values.flatMap(tablesIn).slice(0, 200), count)
      const own = ofTables[name]
      if (own) for (const form of ['csv', 'markdown', 'columns'] as const) expectWithin(tables, form, own[form])
    },
  )

  it.each(sets)('P-089: every form of $name decodes to the very values', ({ values }) => {
    const lossy = [...values, ...values.flatMap(tablesIn)].flatMap((value) => {
      const forms = written(value)
      return otherForms.filter((form) => forms[form] !== undefined && decoders[form](forms[form]) !== forms.minified)
    })
    expect(lossy).toEqual([])
  })

  it.each(sets)('P-089: what is shown of $name is its cheapest form, and decodes', ({ values }) => {
    for (const value of [...values, ...values.flatMap(tablesIn).slice(0, 60)]) {
      const forms = written(value)
      const text = forms.pretty
      const least = Math.min(...otherForms.flatMap((form) => (forms[form] === undefined ? [] : [count(forms[form])])))
      for (const kind of ['tool-result', 'evidence'] as const) {
        const item = { id: 'i', section: kind === 'evidence' ? 'evidence' : 'history', kind, text } as const
        const shown = ladderFor(item, { count, handle: '482915037114' }).find(({ rung }) => rung === 'lossless')
        const saves = count(text) >= 40 && count(text) - least >= Math.max(4, count(text) * 0.03)
        if (!saves) continue
        expect(shown?.tokens).toBe(least)
        expect(otherForms.some((form) => decoders[form](shown?.text ?? '') === forms.minified)).toBe(true)
      }
    }
  })
})
