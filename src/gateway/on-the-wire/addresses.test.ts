import { afterEach, expect, it } from 'vitest'
import { keyGateway, keyTokens } from './keys.fixture.ts'
import type { KeyGateway } from './keys.fixture.ts'
import { closeTestGateways } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const asked = (
  gateway: KeyGateway,
  path: string,
  { token = 'wrong', method = 'GET', body }: { token?: string; method?: string; body?: object } = {},
) =>
  fetch(gateway.url + path, {
    method,
    headers: {
      'authorization': `Bearer ${token}`,
      'x-forwarded-for': '198.51.100.7',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).then(async (response) => [response.status, await response.text()] as const)

const ask = { method: 'POST', body: { model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] } }

it.each([
  [[], '127.0.0.1'],
  [['127.0.0.0/8'], '198.51.100.7'],
])(
  'refusals, changes of sessions and the audit log name the address that asks, with trusted proxies %j',
  async (trustedProxies, from) => {
    const gateway = await keyGateway({ config: { trustedProxies } })
    expect((await asked(gateway, '/v1/chat/completions', ask))[0]).toBe(401)
    expect((await asked(gateway, '/v1/packs'))[0]).toBe(401)
    expect((await asked(gateway, '/v1/keys', { token: keyTokens.agent }))[0]).toBe(403)
    const refused = gateway.log.filter(({ event }) => event === 'refused')
    expect(refused.map(({ fields }) => fields)).toMatchObject([
      { code: 'unauthorized', path: '/v1/chat/completions', from },
      { code: 'unauthorized', path: '/v1/packs', from },
      { code: 'forbidden', path: '/v1/keys', from },
    ])
    const note = { method: 'POST', token: keyTokens.boss, body: { note: 'Stop.' } }
    expect((await asked(gateway, '/v1/sessions/s1/steering', note))[0]).toBe(200)
    expect(gateway.log.find(({ event }) => event === 'session-changed')?.fields).toMatchObject({ from })
    await asked(gateway, '/v1/keys', { method: 'POST', token: keyTokens.boss, body: { name: 'ci' } })
    const [, audit] = await asked(gateway, '/v1/audit', { token: keyTokens.boss })
    expect(audit).toContain(`"from":"${from}"`)
  },
)

it('an address that presents wrong tokens again and again waits for its answers; a good token does not', async () => {
  const gateway = await keyGateway({ config: { trustedProxies: ['127.0.0.1'] } })
  const took = async (token?: string): Promise<number> => {
    const beginning = performance.now()
    await asked(gateway, '/v1/packs', token === undefined ? {} : { token })
    return performance.now() - beginning
  }
  for (let at = 0; at < 11; at += 1)
    await asked(gateway, at % 2 === 0 ? '/v1/packs' : '/v1/chat/completions', at % 2 === 0 ? {} : ask)
  // The twelfth failure waits for 200 ms.
  expect(await took()).toBeGreaterThan(190)
  const held = took()
  const [status] = await Promise.race([
    asked(gateway, '/v1/packs', { token: keyTokens.boss }),
    held.then(() => [0] as const),
  ])
  expect(status).toBe(200)
  await held
})
