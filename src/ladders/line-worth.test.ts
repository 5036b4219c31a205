import { describe, expect, it } from 'vitest'
import { nameWorths } from './line-worth.ts'
import { namesIn } from './names.ts'

describe('namesIn', () => {
  it('reads identifiers with inner structure, paths and dotted names with their parts', () => {
    expect(namesIn('from django.db_utils import BaseModel as plainword')).toEqual([
      'django.db_utils',
      'db_utils',
      'BaseModel',
    ])
    expect(namesIn('cat src/app/main_file.ts')).toEqual(['src/app/main_file.ts', 'main_file'])
  })

  it('finds none in prose, rules and very short words', () => {
    for (const line of ['The quick brown fox.', '----------', 'a_b', '']) expect(namesIn(line)).toEqual([])
  })

  it('reads no more than the start of a line that is data', () => {
    expect(namesIn(`${'x '.repeat(3_000)}some_name`)).toEqual([])
  })
})

describe('nameWorths', () => {
  const worth = (line: string): number => Math.max(...nameWorths(line).map((name) => name.worth))

  it('holds a definition dearer than a mention, and a mention dearer than a listing', () => {
    expect(worth('def compute_total(self):')).toBeGreaterThan(worth('    # see compute_total for more'))
    expect(worth('    value = compute_total(1)')).toBeGreaterThan(worth('-rw-r--r-- 1 root root 12 compute_total'))
  })

  it('is not misled by the line numbers of a view', () => {
    expect(worth('  12\tdef compute_total(self):')).toBe(worth('def compute_total(self):'))
  })

  it('is a likelihood', () => {
    for (const line of ['def a_name_x():', 'x/y/z.py', 'self.alpha = Beta.gamma(delta_epsilon)']) {
      for (const name of nameWorths(line)) {
        expect(name.worth).toBeGreaterThan(0)
        expect(name.worth).toBeLessThan(1)
      }
    }
  })
})
