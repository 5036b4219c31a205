import { expect, it } from 'vitest'
import { whyMore } from './why-more.ts'
import type { CostRow } from './why-more.ts'

const dollars = (usd: number, passThroughUsd: number, clientUsd: number) => ({
  usd,
  passThroughUsd,
  clientUsd,
  observedUsd: 0,
  ifOnUsd: 0,
  ifOnPassThroughUsd: 0,
})
const row = (usd: number, all: number, client: number, more: Partial<CostRow> = {}): CostRow => ({
  lane: '',
  epoch: 0,
  cost: dollars(usd, all, client),
  cachedTokens: 0,
  writtenTokens: 0,
  hiddenRounds: 0,
  ...more,
})

it.each([
  ['less', [row(1, 2, 3)], undefined],
  ['as much', [row(2, 2, 2)], undefined],
  [
    'marks that nobody read',
    [row(1.25, 1.25, 1, { writtenTokens: 4000 })],
    'Cache marks cost $0.2500 more: 4000 tokens were written and not read again.',
  ],
  [
    'marks that were read too seldom',
    [row(1.25, 1.25, 1.2, { writtenTokens: 4000, cachedTokens: 100 })],
    'Cache marks cost $0.0500 more: 4000 tokens were written and 100 were read, too few to pay for the writing.',
  ],
  [
    'an epoch',
    [row(1, 1, 1), row(3, 2, 2, { epoch: 1 }), row(1, 1.5, 1.5, { epoch: 2 })],
    'Packing cost $0.5000 more: epoch 1 has not paid back.',
  ],
  ['hidden rounds', [row(2, 1, 1, { hiddenRounds: 2 })], 'Packing cost $1.0000 more: 2 hidden rounds were paid.'],
  [
    'what is added',
    [row(1.01, 1, 1)],
    'Packing cost $0.0100 more: the tools and markers that it adds take more than it left out.',
  ],
])('a session that costs %s is explained by its receipts', (_, rows, expected) => {
  expect(whyMore(rows)).toBe(expected)
})
