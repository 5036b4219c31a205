import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import { readRecord } from '../../sessions/index.ts'
import { sqliteStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { agentBody, route, said } from './compacting.fixture.ts'
import { gatewayProcesses } from './gateway-process.fixture.ts'
import { testGateway } from './test-gateway.fixture.ts'

const gateways = gatewayProcesses('compaction-crash')

/** A session that is compacted and handed over again and again, until the gateway is gone. */
async function busy(url: string): Promise<void> {
  for (let results = 8; ; results += 4) {
    await said({ url }, 'long', agentBody(results))
    await route({ url }, '/v1/sessions/long/compact', { body: { preserveRecent: 2 } })
    await said({ url }, 'long', agentBody(results + 1))
    await route({ url }, '/v1/sessions/long/handoff')
  }
}

/** Compactions by the ledgers of a session, and by its receipts. */
async function countsOf(store: Store): Promise<readonly [ledgers: number, receipts: number]> {
  const lanes = await store.read('sessions').lanes('default', 'long')
  const states = await Promise.all(
    lanes.map((lane) => store.read('sessions').get({ tenant: 'default', session: 'long', lane })),
  )
  const counts = states.map((state) =>
    state?.ledger?.layout === 'messages' ? (state.ledger.compacted?.count ?? 0) : 0,
  )
  const listed = await store.read('receipts').list('default', { limit: 1000, session: 'long' })
  const receipts = await Promise.all(
    listed.map(({ requestId }) => store.read('receipts').get('default', requestId, { input: false })),
  )
  return [Math.max(0, ...counts), receipts.filter((one) => one?.manifest.compaction !== undefined).length]
}

describe('a gateway that is killed while it compacts and hands over', () => {
  it.each([0, 30, 110, 260])('leaves all of a step or none of it (%i ms)', async (afterMs) => {
    const provider = simulatedProvider({ script: () => 'done' })
    const server = await provider.listen()
    const path = join(gateways.folder, `${afterMs}.db`)
    const { url, child } = await gateways.start(path, server.url)
    const work = busy(url).catch(() => undefined)
    await expect.poll(() => provider.requests.length, { timeout: 20_000, interval: 1 }).toBeGreaterThan(3)
    await new Promise((done) => setTimeout(done, afterMs))
    child.kill('SIGKILL')
    await Promise.all([once(child, 'exit'), work])
    const store = sqliteStore({ path })
    const [ledgers, receipts] = await countsOf(store)
    expect(ledgers).toBe(receipts)
    const record = await readRecord(store, { tenant: 'default', session: 'long' })
    for (const session of record?.children ?? [])
      expect(await readRecord(store, { tenant: 'default', session })).toMatchObject({ parent: 'long', briefing: {} })
    const again = await testGateway({ script: () => 'done', store })
    const { headers } = await said(again, 'long', agentBody(60))
    expect([headers.get('x-prehend-skipped'), again.log.filter(({ event }) => event === 'stage-skipped')]).toEqual([
      null,
      [],
    ])
    expect(Number(headers.get('x-prehend-compaction-count'))).toBeGreaterThanOrEqual(ledgers)
    await again.close()
    await store.close()
    await server.close()
  })
})
