import { afterEach, expect, it } from 'vitest'
import { openGateway, parseConfig } from '../gateway/index.ts'
import type { Gateway } from '../gateway/index.ts'
import { memoryStore } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const opened: Gateway[] = []
afterEach(() => Promise.all(opened.splice(0).map((gateway) => gateway.close(0))))

const nowMs = Date.UTC(2026, 10, 27, 12)

async function gatewayWithBudgets(): Promise<string> {
  const store = memoryStore()
  const config = parseConfig({
    port: 0,
    operators: ['ops'],
    tokens: [
      { token: 'token-of-acme', tenant: 'acme', name: 'ci', team: 'web', budgets: { requestsPerDay: 100 } },
      { token: 'token-of-ops', tenant: 'ops' },
    ],
    tenants: {
      acme: {
        budgets: { usdPerDay: 2, usdPerMonth: 40, concurrentStreams: 3 },
        teams: { web: { budgets: { tokensPerMinute: 5000 } } },
      },
    },
  })
  const sum = { scope: 'tenant', day: '2026-11-27', unit: 'nanoUsd', amount: 1_500_000_000 } as const
  await store.commit({
    scope: { tenant: 'acme', session: 's' },
    nowMs,
    writes: [{ table: 'spending', id: 'a', spent: [sum, { ...sum, day: '2026-11-03' }] }],
  })
  const gateway = await openGateway(config, { store, clock: () => nowMs })
  opened.push(gateway)
  return gateway.url
}

async function run(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo()
  const code = await runCli(['budgets', ...argv], io)
  return { code, ...io.written }
}

it('shows limits, what is spent, reserved and left of them, and when they begin anew', async () => {
  const url = await gatewayWithBudgets()
  const shown = await run('--url', url, '--token', 'token-of-acme')
  expect(shown.out.replaceAll(/ +/g, ' ')).toBe(
    [
      'limit of most spent reserved left resets',
      'usdPerDay tenant $2.0000 $1.5000 $0.0000 $0.5000 2026-11-28 00:00',
      'usdPerMonth tenant $40.0000 $3.0000 $0.0000 $37.0000 2026-12-01 00:00',
      'tokensPerMinute team web 5000 0 0 5000 2026-11-27 12:01',
      'requestsPerDay key ci 100 0 0 100 2026-11-28 00:00',
      'concurrentStreams tenant 3 0 0 3',
      '',
    ].join('\n'),
  )
  const json = await run('--url', url, '--token', 'token-of-ops', '--tenant', 'acme', '--json')
  expect(JSON.parse(json.out)).toMatchObject({
    tenant: 'acme',
    data: [
      {
        scope: 'tenant',
        name: null,
        limit: 'usdPerDay',
        unit: 'usd',
        most: 2,
        spent: 1.5,
        reserved: 0,
        left: 0.5,
        resetsMs: Date.UTC(2026, 10, 28),
      },
      {},
      {},
      {},
      {},
    ],
  })
})

it('shows nobody the budgets of another tenant but operators', async () => {
  const url = await gatewayWithBudgets()
  const refused = await run('--url', url, '--token', 'token-of-acme', '--tenant', 'ops')
  expect([refused.code, refused.out]).toEqual([3, ''])
  expect(refused.err).toContain('These are the budgets of another tenant.')
  const unlimited = await run('--url', url, '--token', 'token-of-ops')
  expect(unlimited).toEqual({ code: 0, out: 'ops has no limits\n', err: '' })
  expect((await run('--url', url)).code).toBe(3)
  expect((await run('--url', 'http://127.0.0.1:1')).code).toBe(6)
})
