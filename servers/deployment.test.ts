import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { openaiFixture } from '../src/gateway/on-the-wire/test-gateway.fixture.ts'
import { simulatedProvider } from '../src/providers/index.ts'
import { postgresStore } from '../src/stores/remote/index.ts'
import { startGateway } from './gateway-process.ts'
import type { GatewayProcess } from './gateway-process.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

interface Manifest {
  readonly kind: string
  readonly data: Readonly<Record<string, string>>
  readonly stringData: Readonly<Record<string, string>>
}

const file = resolve(import.meta.dirname, '../deploy/kubernetes/prehend.yaml')
const manifests = parseAllDocuments(readFileSync(file, 'utf8')).map((one) => one.toJS() as Manifest)
const ofKind = (kind: string): Manifest => manifests.find((one) => one.kind === kind)!

/** What the manifests say, with the addresses of this machine and without their long wait for a load balancer. */
async function deployed() {
  const folder = mkdtempSync(join(tmpdir(), 'prehend-deployed-'))
  closing.push(() => rmSync(folder, { recursive: true }))
  const [database, redis] = await Promise.all([startPostgres(), startRedis()])
  closing.push(() => database.stop())
  closing.push(() => redis.stop())
  const provider = await simulatedProvider({ script: () => ({ text: 'done', firstByteMs: 300 }) }).listen()
  closing.push(() => provider.close())
  const written = JSON.parse(ofKind('ConfigMap').data['prehend.json']!) as { limits: object }
  const limits = { ...written.limits, drainDelayMs: 1000 }
  const upstreams = { openai: { baseUrl: `${provider.url}/v1`, apiKey: 'key' } }
  writeFileSync(join(folder, 'prehend.json'), JSON.stringify({ ...written, limits, upstreams }))
  const { CLIENT_TOKEN: token = '' } = ofKind('Secret').stringData
  const environment = { ...ofKind('Secret').stringData, PREHEND_STORE: database.url, PREHEND_HOT: redis.url }
  const options = ['--config', join(folder, 'prehend.json'), '--host', '127.0.0.1', '--data', folder]
  const start = async (): Promise<GatewayProcess> => {
    const gateway = await startGateway(options, environment)
    closing.push(() => gateway.kill())
    return gateway
  }
  return { start, token, url: database.url }
}

/** As a Service sends requests: to what was ready when it was last asked. */
function balancer(gateways: readonly GatewayProcess[]) {
  const ready = new Set<GatewayProcess>()
  let turn = 0
  const look = async (): Promise<void> => {
    for (const one of gateways) {
      const answer = await fetch(`${one.url}/health/readiness`).catch(() => undefined)
      if (answer?.status === 200) ready.add(one)
      else ready.delete(one)
    }
  }
  return { look, next: (): GatewayProcess => [...ready][(turn += 1) % ready.size]! }
}

it('the deployment of the manifests is replaced process by process, and no request fails', async () => {
  const { start, token, url } = await deployed()
  const gateways = [await start(), await start()]
  const service = balancer(gateways)
  await service.look()
  const over = new AbortController()
  const probing = (async () => {
    for (; !over.signal.aborted; await delay(100)) await service.look()
  })()
  const statuses: number[] = []
  const agent = async (session: string): Promise<void> => {
    for (let results = 1; !over.signal.aborted; results = (results % 8) + 1) {
      const headers = {
        'content-type': 'application/json',
        'authorization': `Bearer ${token}`,
        'x-session-id': session,
      }
      const body = JSON.stringify(openaiFixture.body(results))
      const response = await fetch(`${service.next().url}/v1/chat/completions`, { method: 'POST', headers, body })
      await response.text()
      statuses.push(response.status)
    }
  }
  const agents = ['a', 'b', 'c'].map(agent)
  for (const index of [0, 1]) {
    const fresh = await start()
    const leaving = gateways[index]!
    await delay(300)
    // The new one takes its place when it is ready; the old one is told to stop, and still serves for a while.
    const stopped = leaving.stop()
    gateways.push(fresh)
    await stopped
  }
  await delay(500)
  over.abort()
  await Promise.all([...agents, probing])
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(statuses.length).toBeGreaterThan(20)
  const store = await postgresStore({ url })
  const receipts = await store.read('receipts').list('default', { limit: 10_000 })
  await store.close()
  expect(receipts).toHaveLength(statuses.length)
  const refused = await fetch(`${service.next().url}/v1/packs`)
  expect(refused.status).toBe(401)
})
