import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { independentPairs, pairsNeeded } from './power.ts'

const losses = [5, 10, 20] as const

function powerTable(): string {
  const rows = [50, 80, 95].map((solved) => {
    const pairs = losses.map((loss) => pairsNeeded(independentPairs(solved / 100, loss / 100)))
    return `| ${[`${solved}%`, ...pairs].join(' | ')} |`
  })
  return [
    `| solved without a policy | ${losses.map((loss) => `loss of ${loss} points`).join(' | ')} |`,
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

it('docs/eval-live.md says how many pairs of runs tell a difference', () => {
  expect(readFileSync('docs/eval-live.md', 'utf8')).toContain(`\n${powerTable()}\n`)
})
