import { afterEach, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { closeTestGateways, testGateway } from '../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)

it('removes the oldest receipts of a tenant with too many, none of another tenant, and logs it', async () => {
  const tokens = ['small', 'large'].map((tenant) => ({ token: `token-of-${tenant}`, tenant }))
  const gateway = await testGateway({
    script: () => 'done',
    config: { tokens, retention: { receiptDays: 30, maxReceipts: 3 } },
  })
  const ask = async (tenant: string): Promise<void> => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer token-of-${tenant}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect(response.status).toBe(200)
    await response.text()
  }
  const held = async (tenant: string) => (await gateway.store.read('receipts').list(tenant, { limit: 50 })).length
  for (const tenant of ['small', 'small', 'small']) await ask(tenant)
  for (let turn = 0; turn < 5; turn += 1) await ask('large')
  await expect.poll(() => held('large')).toBe(5)
  await gateway.clock.advance(60_000)
  await expect.poll(() => held('large')).toBe(3)
  expect(await held('small')).toBe(3)
  const warned = gateway.log.filter(({ event }) => event === 'receipts-over-most')
  expect(warned.map(({ fields }) => fields)).toEqual([{ receipts: 2, maxReceipts: 3 }])
})

it.each([
  ['receiptDays', 0],
  ['sessionIdleDays', 0],
  ['auditDays', 0],
  ['maxReceipts', 0],
])('refuses to keep %s of %s', (name, value) => {
  expect(() => parseConfig({ retention: { [name]: value } })).toThrow(`retention.${name}`)
})
