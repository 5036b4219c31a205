import { expect, test } from 'vitest'
import { memoryStore } from '../../../stores/index.ts'
import type { ReceiptQuery, ReceiptSummary } from '../../../stores/index.ts'
import { withReads } from '../../../testing/index.ts'
import { outlineReader } from './outline-reader.ts'

const ended = { rehydrations: 0, upstreamMs: 1, overheadMs: 1 }

function receipt(sequence: number, more: Partial<ReceiptSummary> = {}): ReceiptSummary {
  return {
    requestId: `req_${sequence}`,
    packId: `pack-${sequence}`,
    session: 'one',
    sequence,
    lane: 'main',
    createdMs: sequence,
    dialect: 'openai-chat',
    mode: 'on',
    policyId: 'careful',
    outcome: 'ok',
    originalTokens: 20,
    packTokens: 10,
    result: { ...ended, status: 200 },
    ...more,
  }
}

/** A store of these receipts, and how many rows of it were read. */
function storeOf(receipts: ReceiptSummary[]) {
  const read = { rows: 0 }
  const reads = {
    results: { sessions: async () => [] },
    receipts: {
      list: async (_: string, { after = -1, limit }: ReceiptQuery) => {
        const page = receipts.filter(({ sequence }) => sequence > after).slice(0, limit)
        read.rows += page.length
        return page
      },
    },
  }
  return { outline: outlineReader(withReads(memoryStore(), reads)), read }
}

const asked = (lane?: string) => ({
  tenant: 'default',
  asker: { keyId: 'k', scopes: [], from: '' },
  host: '',
  params: { session: 'one' },
  query: { lane },
  body: undefined,
})

test('what was read of a session is not read again, but for what had not ended', async () => {
  const receipts = Array.from({ length: 1200 }, (_, index) => receipt(index + 1))
  const { result: _, ...running } = receipt(1201)
  receipts.push(running)
  const { outline, read } = storeOf(receipts)
  expect(await outline(asked())).toMatchObject({ requests: 1201, open: 1, failures: 0 })
  read.rows = 0
  receipts[1200] = receipt(1201, { result: { ...ended, status: 500 } })
  receipts.push(receipt(1202))
  expect(await outline(asked())).toMatchObject({ requests: 1202, open: 0, failures: 1 })
  expect(read.rows).toBe(3)
})

test('where the oldest are gone, every place is told anew', async () => {
  const receipts = Array.from({ length: 250 }, (_, index) => receipt(index + 1))
  const { outline } = storeOf(receipts)
  expect((await outline(asked())).pages.starts).toEqual([1, 101, 201])
  receipts.splice(0, 30)
  const { requests, pages } = await outline(asked())
  expect([requests, pages.starts]).toEqual([220, [31, 131, 231]])
})

test('pages of one conversation begin with its own requests; all else is of the session', async () => {
  const receipts = Array.from({ length: 300 }, (_, index) =>
    receipt(index + 1, { lane: index % 3 === 2 ? 'main~fork' : 'main' }),
  )
  const { outline } = storeOf(receipts)
  expect(await outline(asked('main'))).toMatchObject({
    requests: 300,
    lanes: [
      { lane: 'main', requests: 200 },
      { lane: 'main~fork', requests: 100 },
    ],
    pages: { lane: 'main', requests: 200, starts: [1, 151] },
  })
  expect((await outline(asked('nobody'))).pages).toMatchObject({ requests: 0, starts: [] })
})

test('money is told at so many places as a chart can show, and at the last request exactly', async () => {
  const priced = {
    ...ended,
    status: 200,
    cost: { inputTokens: 1, passThroughTokens: 2, usd: 1, passThroughUsd: 2 },
  }
  const { outline } = storeOf(Array.from({ length: 1234 }, (_, index) => receipt(index + 1, { result: priced })))
  const { money, usd } = await outline(asked())
  expect(money.length).toBeLessThanOrEqual(501)
  for (const place of money) expect(place).toMatchObject({ usd: place.ordinal, passThroughUsd: 2 * place.ordinal })
  expect([money.at(-1)?.ordinal, usd]).toEqual([1234, 1234])
})
