import { describe, expect, it } from 'vitest'
import { schemaAtLevel } from '../src/ladders/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { checkCalls } from './schema-calls.ts'
import { definitionOf, spaced, toolCatalogues } from './tool-catalogues.ts'

const { count } = memoCounter(encodingTokenizer('o200k_base'))

const bands = { minify: [0.1, 0.2], truncate: [0.3, 0.5], aggressive: [0.5, 0.7] } as const
type Level = keyof typeof bands
const levels = Object.keys(bands) as readonly Level[]

/** Shares of its tokens that each level takes off a catalogue, as Python's standard library writes it. */
const measured = new Map(
  toolCatalogues().map(([name, tools]) => {
    const texts = tools.map((tool) => spaced(definitionOf(tool)))
    const whole = texts.reduce((sum, text) => sum + count(text), 0)
    const savedBy = (level: Level): number =>
      1 - texts.reduce((sum, text) => sum + count(schemaAtLevel(text, level) ?? text), 0) / whole
    return [name, { minify: savedBy('minify'), truncate: savedBy('truncate'), aggressive: savedBy('aggressive') }]
  }),
)

const within = (saved: number, [least, most]: readonly [number, number]): boolean => saved >= least && saved <= most

describe('the levels of schemas on recorded catalogues', () => {
  it.each(['mcp-catalogs/docker_mcp_registry', 'tool-retrieval/bfcl_multiturn.functions'])(
    'C-015, N-16: each saves what its band says: %s',
    (name) => {
      const saved = measured.get(name)
      for (const level of levels)
        expect([level, saved?.[level], within(saved?.[level] ?? 0, bands[level])]).toEqual([
          level,
          saved?.[level],
          true,
        ])
    },
  )

  it('N-16: none saves less than its band on any catalogue; where one saves more, it is by what the docs say', () => {
    const most = { minify: 0.24, truncate: 0.54, aggressive: 0.85 } as const
    expect(measured.size).toBe(6)
    for (const [name, saved] of measured)
      for (const level of levels)
        expect([name, level, within(saved[level], [bands[level][0], most[level]])]).toEqual([name, level, true])
    const inBand = (level: Level): number =>
      [...measured.values()].filter((saved) => within(saved[level], bands[level])).length
    expect(levels.map((level) => [level, inBand(level)])).toEqual([
      ['minify', 5],
      ['truncate', 4],
      ['aggressive', 2],
    ])
  })

  it.each([
    ['mcp-traces/traces.dev', 'mcp-traces/catalog'],
    ['tau-bench/airline.dev', 'tau-bench'],
  ])(
    'C-015: a recorded call is accepted by minify and truncate where the whole accepts it, and nowhere else: %s',
    (file, catalogue) => {
      const { calls, accepted, other } = checkCalls(file, new Map(toolCatalogues()).get(catalogue) ?? [])
      expect(calls).toBeGreaterThan(300)
      expect([accepted.minify, accepted.truncate]).toEqual([accepted.none, accepted.none])
      expect([other.minify, other.truncate]).toEqual([0, 0])
    },
  )
})
