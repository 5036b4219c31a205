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

  const logit = (line: string): number => {
    const [{ worth: likelihood } = { worth: Number.NaN }] = nameWorths(line)
    return Math.log(likelihood / (1 - likelihood))
  }

  it('goes by the kind of the name', () => {
    const names: readonly (readonly [name: string, weight: number])[] = [
      ['src/ab/cd.py', 0.48],
      ['src/ab/cdefg', -0.29],
      ['src/ab.c/defg', -0.29],
      ['src/ab.longer', -0.29],
      ['self.values', 0.16],
      ['alpha.beta', 0.62],
      ['alpha-beta', -1.78],
      ['__alpha__', 0.06],
      ['MAX_VALUE', -0.23],
      ['BaseModel', 0.46],
      ['some_name', -0.08],
      ['camelName', -0.4],
    ]
    const weights = names.map(([name]) => logit(`: ${name}`) - logit(': camelName') - 0.4)
    expect(weights.map((weight) => Number(weight.toFixed(2)))).toEqual(names.map(([, weight]) => weight))
  })

  it('goes by the kind of the line', () => {
    const lines: readonly (readonly [line: string, weight: number])[] = [
      ['async def some_name', 0.61],
      ['\tfn some_name', 0.61],
      ['export abstract class some_name ', 0.52],
      ['enum some_name ', 0.52],
      ['type some_name ', 0.52],
      ['from some_name import', 0.5],
      ['import some_name', 0.5],
      ['export x from some_name', 0.5],
      ['require(some_name)', 0.5],
      ['  # some_name', -0.2],
      ['// some_name', -0.2],
      [' * some_name', -0.2],
      ['"""some_name', -0.2],
      ["'''some_name", -0.2],
      ['  @some_name', 0.49],
      ['7/some_name', 0.52],
      ['-rwxrwxrwx some_name', -0.84],
      ['drwxrwxrwx some_name', -0.84],
      ['return some_name', -0.19],
      ['if some_name', 0.47],
      ['elif some_name', 0.47],
      ['assert some_name', 0.47],
      ['while some_name', 0.47],
      ['x[0] = some_name', 0.31],
      ['7 = some_name', 0.31],
      ['print(some_name)', 0.17],
      ['\u00a0def some_name', 0.61],
      ['{ some_name }', 0],
    ]
    const weights = lines.map(([line]) => logit(line) - logit(': some_name'))
    expect(weights.map((weight) => Number(weight.toFixed(2)))).toEqual(lines.map(([, weight]) => weight))
  })
})
