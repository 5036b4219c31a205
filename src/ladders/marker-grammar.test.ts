import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'
import { longestMarker, markerForms, mayBeMarker, readMarker, writeMarker } from './marker-grammar.ts'

const count = fc.integer({ min: 0, max: 999_999_999 })
const anyValues = fc.record({
  first: count,
  last: count,
  lines: count,
  step: count,
  back: count,
  tokens: count,
  bytes: count,
  exit: fc.integer({ min: -999, max: 999_999_999 }),
  failures: count,
  rows: count,
  columns: fc.integer({ min: 0, max: 9999 }),
  picked: fc.integer({ min: 0, max: 9999 }),
  handle: fc.stringMatching(/^[A-Za-z0-9_-]{4,64}$/),
  gist: fc.stringMatching(/^[\p{L}\p{N} ,.'-]{1,72}$/u),
  name: fc.stringMatching(/^[\p{L}\p{N}_.:/#-]{1,80}$/u),
})

describe('every form of marker', () => {
  it('is read back as what was written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...markerForms), anyValues, (form, values) => {
        const read = readMarker(writeMarker(form, values))
        expect(read?.form).toBe(form)
        for (const [slot, value] of Object.entries(read?.values ?? {}))
          if (value !== undefined) expect(value).toBe(String(values[slot as keyof typeof values]))
      }),
    )
  })

  it('is told by each of its beginnings, and with blanks behind it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...markerForms), anyValues, (form, values) => {
        const marker = writeMarker(form, values)
        expect(marker.length).toBeLessThan(longestMarker)
        for (let end = 1; end <= marker.length; end += 1) {
          const beginning = marker.slice(0, end)
          if (!/[\ud800-\udbff]$/.test(beginning)) expect(mayBeMarker(beginning)).toBe(true)
        }
        expect(mayBeMarker(`${marker} \t`)).toBe(true)
      }),
    )
  })

  it('carries the call or the handle, or names the step to look at', () => {
    const values = {
      first: 1,
      last: 2,
      lines: 3,
      step: 4,
      back: 1,
      tokens: 5,
      exit: 6,
      handle: '4829',
      name: 'n',
      gist: 'the same',
      from: 'f',
    }
    for (const form of markerForms) expect(writeMarker(form, values)).toMatch(/4829|step 4/)
  })
})

const lines = Array.from({ length: 80 }, (_, line) => `line ${line} of src/module_${line}.ts says something`)
const items: readonly Item[] = [
  { id: 'r', section: 'history', kind: 'tool-result', role: 'tool', toolName: 'ba sh', text: lines.join('\n') },
  {
    id: 'e',
    section: 'history',
    kind: 'tool-result',
    role: 'tool',
    toolName: 'bash',
    text: [...lines, 'Error: no such file', 'exit code: 2'].join('\n'),
  },
  { id: 'u', section: 'history', kind: 'text', role: 'user', text: lines.join('\n\n') },
  { id: 'k', section: 'evidence', kind: 'evidence', text: lines.join('\n'), provenance: { sourceId: 'wiki/a b' } },
  { id: 'm', section: 'memory', kind: 'memory', text: lines.join('\n'), provenance: { sourceId: 'notes' } },
]

it.each(items)('whatever the ladder of $id puts in brackets with a handle is a marker that we read', (item) => {
  const context = { count: (text: string) => Math.ceil(text.length / 4), handle: '123456789012', step: 3 }
  const made = ladderFor(item, context).flatMap(({ text }) =>
    text.split('\n').filter((line) => line.includes('1234567')),
  )
  expect(made.length).toBeGreaterThan(0)
  for (const line of made) expect(readMarker(line)?.values.handle).toBe('123456789012')
})
