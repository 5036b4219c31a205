import { expect, it } from 'vitest'
import { keepLast, passThrough, plainRules, countingOf, policyStrategies, replayTrace } from '../src/inspect/index.ts'
import { policies } from '../src/compiler/index.ts'
import { frontierFigures } from './frontier-figures.ts'
import { comparedRivals, frontierRuns, frontierTables, tablesIn, windowsTable, withTable } from './page-tables.ts'
import type { FrontierRun } from './page-tables.ts'
import { chatTrace } from './retention-facts.ts'

function run(set: FrontierRun['set'], rules: FrontierRun['rules']): FrontierRun {
  const trace = chatTrace(
    'chat',
    Array.from({ length: 12 }, (_, at) => `This is turn ${at} of a conversation.`),
  )
  const plain = plainRules({})
  const options = { ...countingOf(plain), openCache: plain.openCache, outputPrice: 5, clock: () => 0 }
  const baseline = replayTrace(trace, passThrough(), options)
  const strategies = [
    ...policyStrategies([{ name: 'careful', policy: policies.careful }], plain),
    ...['keep-last-10', 'keep-last-3'].map((name) => ({ ...keepLast(10), name })),
  ]
  const pairs = strategies.map(
    (strategy) => [strategy.name, { figures: replayTrace(trace, strategy, options), baseline }] as const,
  )
  return { set, rules, figures: frontierFigures([{ id: 'chat', place: 0, pairs }]) }
}

it('makes tables of what frontier reports: the plain rule by strategy, all rules by policy, gates missed and aims', () => {
  const written = [run('swe', 'plain'), run('swe', 'anthropic')].map((one) => JSON.stringify(one)).join('\n')
  const tables = frontierTables(frontierRuns(`${written}\n`))
  const rowsOf = (name: string) =>
    tables
      .get(name)
      ?.split('\n')
      .filter((line) => line.startsWith('|')) ?? []
  expect(rowsOf('sets').slice(2)).toEqual([
    expect.stringMatching(/^\| swe \(1\) \| careful \| \d\.\d{3} /),
    expect.stringMatching(/^\| swe \(1\) \| keep-last-10 \| 1\.000 \| 1\.000 /),
  ])
  expect(comparedRivals).not.toContain('keep-last-3')
  expect(
    rowsOf('rules')
      .slice(2)
      .map((row) => row.slice(0, 24)),
  ).toEqual(['| plain | `careful` | 1.', '| anthropic | `careful` '])
  expect(rowsOf('gates')[0]).toBe('| policy | set | asked | plain | anthropic |')
  expect(rowsOf('gates').at(-1)).toBe(
    '| `careful` | swe | aim: settled all | **1 missed**, at most 0.92 | **1 missed**, at most 0.93 |',
  )
  expect(rowsOf('bill')[2]).toMatch(/^\| swe \| careful \| 1\./)
})

it('counts the requests that a full window refuses', () => {
  const table = windowsTable([{ windowTokens: 16_000, run: run('swe', 'plain') }])
  expect(table.split('\n')[2]).toMatch(/^\| 16000, swe \(1\) \| careful \| 0 of 12 \| 1\./)
})

it('puts a table in its place on the page, as often as it is made', () => {
  const page = 'before\n<!-- table: sets -->\nold\n<!-- /table -->\nafter\n<!-- table: bill -->\n<!-- /table -->\n'
  const once = withTable(page, 'sets', '| a |\n')
  expect(once).toBe(
    'before\n<!-- table: sets -->\n\n| a |\n\n<!-- /table -->\nafter\n<!-- table: bill -->\n<!-- /table -->\n',
  )
  expect(withTable(once, 'sets', '| a |')).toBe(once)
  expect(() => withTable(page, 'none', '| a |')).toThrow('no place for the table none')
})

it('takes the tables out of what a benchmark prints', () => {
  expect(tablesIn('# title\n\n| a |\n| - |\n\nand\n\n| b |\n\n3 missed.\n')).toBe('| a |\n| - |\n\nand\n\n| b |')
  expect(() => tablesIn('nothing')).toThrow('No table was printed')
})
