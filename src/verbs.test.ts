import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import * as library from './index.ts'

const page = readFileSync(resolve(import.meta.dirname, '../docs/library/steps-and-layers.md'), 'utf8')

it('A-027: each of the four verbs maps to public modules of the library', () => {
  const rows = Array.from(
    page.matchAll(/^\| (write|select|compress|isolate) \|[^|]+\|([^|]+)\|$/gm),
    ([, verb, by = '']) => {
      return { verb, names: Array.from(by.matchAll(/`(\w+)`/g), ([, name = '']) => name) }
    },
  )
  expect(rows.map(({ verb }) => verb)).toEqual(['write', 'select', 'compress', 'isolate'])
  const all = rows.flatMap(({ names }) => names)
  expect(new Set(all).size).toBe(all.length)
  for (const { names } of rows) {
    expect(names.length).toBeGreaterThan(2)
    expect(Object.keys(library)).toEqual(expect.arrayContaining(names))
  }
})
