import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import type { Gateway, GatewayConfigInput } from '../index.ts'
import { closeSocketGateways, plainServer } from './socket-gateway.fixture.ts'

let gateways: Gateway[] = []
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close(0)))
  await closeSocketGateways()
})

async function opened(config: GatewayConfigInput, store: Store = memoryStore()): Promise<Gateway> {
  const gateway = await openGateway(parseConfig({ port: 0, ...config }), { store })
  gateways = [...gateways, gateway]
  return gateway
}

const says = { model: 'gpt-5.1', messages: [{ role: 'user', content: 'x' }] }
const ask = ({ url }: Gateway, token: string, more: object = {}) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...says, ...more }),
  })
const tokensOf = (token: string) => ({ tokens: [{ token, tenant: 'acme' }] })

describe('reload', () => {
  it('puts keys, tokens and policies in force without a restart; what is counted goes on', async () => {
    const keys: unknown[] = []
    const baseUrl = `${await plainServer((request, response) => {
      keys.push(request.headers.authorization)
      request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{"choices":[]}'))
    })}/v1`
    const withKey = (apiKey: string, token: string) => ({
      upstreams: { openai: { baseUrl, apiKey } },
      ...tokensOf(token),
    })
    const gateway = await opened(withKey('old-key', 'the-old-token'))
    expect((await ask(gateway, 'the-old-token')).status).toBe(200)
    await gateway.reload(parseConfig({ port: 0, ...withKey('new-key', 'the-new-token') }))
    expect((await ask(gateway, 'the-old-token')).status).toBe(401)
    expect((await ask(gateway, 'the-new-token')).status).toBe(200)
    expect(keys).toEqual(['Bearer old-key', 'Bearer new-key'])
    const headers = { authorization: 'Bearer the-new-token' }
    const metrics = await (await fetch(`${gateway.url}/metrics`, { headers })).text()
    expect(metrics).toMatch(/prehend_requests_total\{route="openai-chat".* 2$/m)
  })

  it('stands in the audit log of the installation, as revisions of policies do, and without secrets', async () => {
    const store = memoryStore()
    const withPolicy = (token: string, reserveShare: number) => ({
      ...tokensOf(token),
      policies: [{ id: 'mine', version: '1.0.0', extends: 'careful', reserveShare }],
    })
    const gateway = await opened(withPolicy('the-old-token', 0.2), store)
    await gateway.reload(parseConfig({ port: 0, ...withPolicy('the-new-token', 0.2) }))
    await gateway.reload(parseConfig({ port: 0, ...withPolicy('the-new-token', 0.3) }))
    const entries = await store.read('audit').list({ tenant: '', order: 'chain', limit: 9 })
    expect(entries.map(({ actor, action, target, from }) => [actor, action, target, from])).toEqual([
      ['process', 'policy.revise', 'mine', 'local'],
      ['process', 'config.reload', 'configuration', 'local'],
      ['process', 'policy.revise', 'mine', 'local'],
      ['process', 'config.reload', 'configuration', 'local'],
    ])
    const [made, onlyToken, revised, reloaded] = entries
    expect(onlyToken!.afterHash).toBe(onlyToken!.beforeHash)
    expect(revised!.beforeHash).toBe(made!.afterHash)
    expect(reloaded!.beforeHash).toBe(onlyToken!.afterHash)
    expect(reloaded!.afterHash).not.toBe(reloaded!.beforeHash)
  })

  it('that cannot be written down does not happen', async () => {
    const store = memoryStore()
    const gateway = await opened(tokensOf('the-old-token'), store)
    const { commit } = store
    Object.assign(store, { commit: () => Promise.reject(new Error('the disk is full')) })
    await expect(gateway.reload(parseConfig({ port: 0, ...tokensOf('the-new-token') }))).rejects.toThrow('disk')
    Object.assign(store, { commit })
    expect((await ask(gateway, 'the-old-token')).status).toBe(200)
    expect((await ask(gateway, 'the-new-token')).status).toBe(401)
  })

  it('lets requests under way end as they began', async () => {
    let finish: () => void = () => undefined
    const arrived = Promise.withResolvers<void>()
    const baseUrl = `${await plainServer((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json')
        finish = () => response.end('{"choices":[],"said":"whole"}')
        arrived.resolve()
      })
    })}/v1`
    const gateway = await opened({ upstreams: { openai: { baseUrl, apiKey: 'key' } }, ...tokensOf('the-old-token') })
    const asked = ask(gateway, 'the-old-token')
    await arrived.promise
    await gateway.reload(parseConfig({ port: 0, ...tokensOf('the-new-token') }))
    finish()
    expect(await (await asked).text()).toContain('whole')
  })

  it.each([
    [{ host: '0.0.0.0' }, 'tokens'],
    [{ port: 1 }, 'port: cannot change while the gateway runs'],
    [{ host: '127.0.0.2' }, 'host: cannot change while the gateway runs'],
  ])('leaves everything as it is where it cannot be: %j', async (wrong, message) => {
    const gateway = await opened(tokensOf('the-old-token'))
    await expect(gateway.reload(parseConfig({ port: 0, ...wrong }))).rejects.toThrow(message)
    expect((await ask(gateway, 'the-old-token')).status).toBe(200)
  })
})

it('a gateway that stops is not ready, and still serves for a while', async () => {
  const gateway = await opened({ limits: { drainDelayMs: 400 } })
  const readiness = async () => (await fetch(`${gateway.url}/health/readiness`)).status
  expect(await readiness()).toBe(200)
  const closed = gateway.close()
  expect(await readiness()).toBe(503)
  const answered = await ask(gateway, 'any')
  expect([answered.status, answered.headers.get('connection')]).toEqual([200, 'close'])
  await answered.text()
  await closed
  await expect(ask(gateway, 'any')).rejects.toThrow('fetch failed')
})
