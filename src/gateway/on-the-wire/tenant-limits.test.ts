import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { fetchUpstream } from '../../providers/index.ts'
import { parseConfig } from '../index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { receiptsOf } from './proven.fixture.ts'
import { anthropicFixture as dialect, closeTestGateways, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const tokens = [
  { token: 'token-of-acme', tenant: 'acme' },
  { token: 'token-of-umbrella', tenant: 'umbrella' },
]
const as = (tenant: string) => ({ 'x-api-key': `token-of-${tenant}` })
type Tenant = NonNullable<GatewayConfigInput['tenants']>[string]

const opened = (acme: Tenant, more: Parameters<typeof testGateway>[0] = {}) =>
  testGateway({ script: () => 'done', ...more, config: { tokens, tenants: { acme }, ...more.config } })

const statuses = async (gateway: TestGateway, body: object) =>
  Promise.all(
    ['acme', 'umbrella'].map(async (tenant) => {
      const response = await post(gateway, dialect, body, as(tenant))
      await response.text()
      return response.status
    }),
  )

describe('C-027: limits that a tenant has otherwise', () => {
  it('how long its bodies may be, on every route', async () => {
    const gateway = await opened({ limits: { bodyBytes: 2048 } })
    expect(await statuses(gateway, dialect.body(1))).toEqual([413, 200])
    const compiles = await Promise.all(
      ['acme', 'umbrella'].map((tenant) =>
        post(gateway, { ...dialect, path: '/v1/compile' }, dialect.body(1), as(tenant)),
      ),
    )
    expect(compiles.map(({ status }) => status)).toEqual([413, 200])
  })

  it('how many of its requests may wait here, without keeping others out', async () => {
    const held: (() => void)[] = []
    const layer = {
      name: 'held',
      failure: 'open' as const,
      handle: async (exchange: unknown, next: (one: never) => Promise<never>) => {
        await new Promise<void>((done) => void held.push(done))
        return next(exchange as never)
      },
    }
    const host = { layers: [layer as never] }
    const gateway = await opened({ limits: { waitingRequests: 1 } }, { host })
    const first = post(gateway, dialect, dialect.body(1), as('acme'))
    while (held.length < 1) await delay(5)
    const second = await post(gateway, dialect, dialect.body(1), as('acme'))
    expect([second.status, await second.text()]).toEqual([503, expect.stringContaining('waiting')])
    const other = post(gateway, dialect, dialect.body(1), as('umbrella'))
    while (held.length < 2) await delay(5)
    for (const go of held) go()
    expect([(await first).status, (await other).status]).toEqual([200, 200])
    held.length = 0
    const again = post(gateway, dialect, dialect.body(1), as('acme'))
    while (held.length < 1) await delay(5)
    held[0]?.()
    expect((await again).status).toBe(200)
  })

  it('how much of its own may be under way, without keeping others out', async () => {
    const answers: (() => void)[] = []
    const fetch = async (): Promise<Response> => {
      await new Promise<void>((done) => void answers.push(done))
      return Response.json({}, { status: 500 })
    }
    const upstream = fetchUpstream({ name: 'silent', origin: 'http://silent', fetch })
    const underwayBytes = Math.ceil(1.5 * JSON.stringify(dialect.body(1)).length)
    const gateway = await opened({ limits: { underwayBytes } }, { upstream })
    const first = post(gateway, dialect, dialect.body(1), as('acme'))
    await expect.poll(() => answers.length).toBe(1)
    const second = await post(gateway, dialect, dialect.body(1), as('acme'))
    expect([second.status, await second.text()]).toEqual([503, expect.stringContaining('underwayBytes')])
    const other = post(gateway, dialect, dialect.body(1), as('umbrella'))
    await expect.poll(() => answers.length).toBe(2)
    for (const answer of answers) answer()
    expect([(await first).status, (await other).status]).toEqual([500, 500])
  })

  it('how long its provider may take', async () => {
    const usage = { input_tokens: 1, output_tokens: 1 }
    const content = [{ type: 'text', text: 'done' }]
    const message = { type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage }
    const fetch = async (_: string, { signal }: RequestInit): Promise<Response> => {
      await delay(300, undefined, { ...(signal && { signal }) })
      return Response.json(message)
    }
    const upstream = fetchUpstream({ name: 'slow', origin: 'http://slow', fetch })
    const gateway = await opened({ timeouts: { firstByteMs: 20 } }, { upstream })
    expect(await statuses(gateway, dialect.body(1))).toEqual([504, 200])
  })

  it('how many rounds of our own tool it gets, and how much one brings', async () => {
    const call = { type: 'tool-call', name: 'rehydrate', arguments: { handle: 'none' } } as const
    const script = ({ body }: { readonly body: string }) =>
      body.split('tool_result').length - 1 > 4 ? 'done' : { parts: [call] }
    const gateway = await opened({ limits: { rehydrateRounds: 1, rehydrateChars: 300 } }, { script })
    await statuses(gateway, dialect.body(1))
    const rounds = async (tenant: string) => {
      const [newest] = await gateway.store.read('receipts').list(tenant, { limit: 1 })
      return newest?.result?.rounds?.length
    }
    expect([await rounds('acme'), await rounds('umbrella')]).toEqual([1, 4])
  })

  it('C-001: what is recorded of it, how it is counted (the receipt says by what), and how often its answers are asked for again', async () => {
    const check = { lacks: ['ACME'] }
    const constraints = [{ text: 'Name no customer.', strength: 'hard', about: 'customers', check }]
    const own = { record: 'receipts', tokenizer: 'heuristic', repairs: 0 } as const
    const gateway = await opened(own, { config: { constraints, repairs: 2 }, script: () => 'ACME' })
    expect(await statuses(gateway, dialect.body(1))).toEqual([422, 422])
    expect(gateway.provider.requests).toHaveLength(1 + 3)
    const [acme] = await receiptsOf(gateway, 'acme')
    const [umbrella] = await receiptsOf(gateway, 'umbrella')
    expect([acme?.request, acme?.manifest.tokenizerId]).toEqual([undefined, expect.stringContaining('heuristic')])
    expect(umbrella?.request).toBeDefined()
    expect(umbrella?.manifest.tokenizerId).not.toContain('heuristic')
  })

  it('each by its name in lower case, as a text, too; what stands in its own place goes before', () => {
    const { tenants } = parseConfig({
      tenants: {
        acme: {
          metadata: {
            tokenizer_mode: 'bpe',
            prompt_cache_enabled: 'false',
            cache_keepalive: 'false',
            limits_body_bytes: '4096',
            limits_waiting_requests: '3',
            timeouts_idle_ms: '500',
            record: 'receipts',
            mode: 'observe',
          },
          limits: { bodyBytes: 8192 },
        },
      },
    })
    expect(tenants['acme']).toEqual({
      metadata: { prompt_cache_enabled: 'false' },
      tokenizer: 'exact',
      promptCache: { keepalive: false },
      limits: { bodyBytes: 8192, waitingRequests: 3 },
      timeouts: { idleMs: 500 },
      record: 'receipts',
      mode: 'observe',
    })
    expect(() => parseConfig({ tenants: { acme: { metadata: { limits_body_bytes: 'much' } } } })).toThrow(
      'tenants.acme.limits.bodyBytes',
    )
  })

  it.each<[Record<string, unknown>, string]>([
    [{ limits: { bodyBytes: 'much' } }, 'tenants.acme.limits.bodyBytes'],
    [{ limits: { waitingRequests: 0 } }, 'tenants.acme.limits.waitingRequests'],
    [{ limits: { liveSessions: 4 } }, 'tenants.acme.limits.liveSessions'],
    [{ timeouts: { idleMs: -1 } }, 'tenants.acme.timeouts.idleMs'],
    [{ repairs: 99 }, 'tenants.acme.repairs'],
    [{ record: 'some' }, 'tenants.acme.record'],
    [{ tokenizer: 'guess' }, 'tenants.acme.tokenizer'],
    [{ promptCache: { keepalive: 'no' } }, 'tenants.acme.promptCache.keepalive'],
    [{ metadata: { tool_schemas: 'most' } }, 'tenants.acme.metadata.tool_schemas'],
  ])('a wrong one is named at the start, with its tenant: %j', (acme, field) => {
    expect(() => parseConfig({ tenants: { acme } })).toThrow(
      expect.objectContaining({ code: 'invalid-input', data: expect.objectContaining({ field }) }),
    )
  })
})
