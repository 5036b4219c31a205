import { join } from 'node:path'
import { expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import { gatewayProcesses } from './gateway-process.fixture.ts'
import { openaiFixture } from './test-gateway.fixture.ts'

const gateways = gatewayProcesses('full')

/** A gateway whose files cannot grow beyond that many blocks of 512 bytes. */
function cramped(blocks: number, providerUrl: string) {
  const limited = ['sh', '-c', `ulimit -f ${blocks}; exec "$0" "$@"`]
  return gateways.start(join(gateways.folder, 'full.db'), providerUrl, limited)
}

it('where the store cannot grow, requests go on, none promises a receipt that is not there, and readiness says no', async () => {
  const provider = simulatedProvider({ script: () => 'done' })
  const server = await provider.listen()
  const { url, child } = await cramped(2400, server.url)
  const ask = async (session: string): Promise<Response> => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...openaiFixture.headers, 'x-session-id': session },
      body: JSON.stringify(openaiFixture.body(3)),
    })
    expect(await response.text()).toContain('done')
    return response
  }
  const seen = { promised: 0, told: 0 }
  for (let count = 0; count < 400 && seen.told < 10; count += 1) {
    const { headers } = await ask(`s${count}`)
    const packId = headers.get('x-prehend-pack-id')
    if (packId === null) {
      expect(headers.get('x-prehend-skipped')).toBe('store')
      seen.told += 1
    } else {
      expect((await fetch(`${url}/v1/packs/${packId}`)).status).toBe(200)
      seen.promised += 1
    }
  }
  expect(seen).toEqual({ promised: expect.toSatisfy((count: number) => count > 0), told: 10 })
  const readiness = await fetch(`${url}/health/readiness`)
  expect([readiness.status, await readiness.json()]).toMatchObject([200, { status: 'degraded', store: 'failed' }])
  child.kill()
  await server.close()
})
