import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import { sqliteStore } from '../../stores/index.ts'
import { gatewayProcesses } from './gateway-process.fixture.ts'
import { handleIn, longResult, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { Body } from './test-gateway.fixture.ts'

const gateways = gatewayProcesses('crash')

/** Sessions that run side by side, a request after the other, until the gateway is gone. */
async function agent(url: string, session: string, results: number): Promise<void> {
  for (let count = 8; count < results; count += 1) {
    const body = openaiFixture.body(count)
    const named: Body = { ...body, messages: [openaiFixture.says(`I am ${session}.`), ...body.messages] }
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...openaiFixture.headers, 'x-session-id': session },
      body: JSON.stringify(named),
    })
    await response.text()
  }
}

describe('a gateway that is killed', () => {
  it.each([5, 40, 90, 200])(
    'headroom#1809: every pointer that a model has seen resolves afterwards (%i ms)',
    async (afterMs) => {
      const provider = simulatedProvider({ script: () => 'done' })
      const server = await provider.listen()
      const path = join(gateways.folder, `${afterMs}.db`)
      const { url, child } = await gateways.start(path, server.url)
      const agents = Promise.allSettled(['a', 'b', 'c'].map((session) => agent(url, session, 40)))
      await expect
        .poll(() => provider.requests.some(({ body }) => handleIn(body, 1) !== undefined), {
          timeout: 20_000,
          interval: 1,
        })
        .toBe(true)
      await new Promise((done) => setTimeout(done, afterMs))
      child.kill('SIGKILL')
      await agents
      await server.close()

      const store = sqliteStore({ path })
      let pointers = 0
      for (const { body } of provider.requests) {
        const session = /I am (\w)\./.exec(body)?.[1] ?? ''
        for (let number = 1; number < 40; number += 1) {
          const handle = handleIn(body, number)
          if (handle === undefined) continue
          pointers += 1
          const original = await store.read('originals').get({ tenant: 'default', session }, handle)
          expect(original?.text).toBe(longResult(number))
        }
      }
      expect(pointers).toBeGreaterThan(0)
      await store.close()
    },
    60_000,
  )
})

describe('many requests of one session at a time', () => {
  it('each decide upon what those before have left, and none is lost', async () => {
    const path = join(gateways.folder, 'concurrent.db')
    const store = sqliteStore({ path })
    const gateway = await testGateway({ store, script: () => 'done' })
    const bodies = Array.from({ length: 24 }, (_, index) => openaiFixture.body(1 + (index % 4)))
    const responses = await Promise.all(
      bodies.map((body) => post(gateway, openaiFixture, body, { 'x-session-id': 's' })),
    )
    expect(responses.map(({ status }) => status)).toEqual(bodies.map(() => 200))
    await Promise.all(responses.map((response) => response.text()))
    const receipts = await store.read('receipts').list('default', { limit: 99, session: 's' })
    expect(receipts).toHaveLength(24)
    const lanes = await store.read('sessions').lanes('default', 's')
    const states = await Promise.all(
      lanes.map((lane) => store.read('sessions').get({ tenant: 'default', session: 's', lane })),
    )
    // A body that goes back to an earlier point is a branch of its own.
    expect(lanes.length).toBeLessThanOrEqual(4)
    expect(states.reduce((total, state) => total + (state?.version ?? 0), 0)).toBe(24)
    expect(gateway.log.filter(({ level }) => level !== 'info')).toEqual([])
    await gateway.close()
    await store.close()
  })
})
