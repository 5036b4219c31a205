import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { settingsFor } from '../tenant-settings.ts'
import { tenantNames } from '../tenant-names.ts'
import { closeTestGateways, openaiFixture as dialect, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const tokens = [
  { token: 'token-of-acme', tenant: 'acme' },
  { token: 'token-of-umbrella', tenant: 'umbrella' },
]
const as = (tenant: string) => ({ authorization: `Bearer token-of-${tenant}` })

/** Where the process listens, what it runs on, who may come at all, and what tenants and policies there are: of those no tenant can have its own. */
const ofTheProcess = [
  'extensions',
  'tools',
  'hot',
  'searchHistory',
  'host',
  'port',
  'tokens',
  'allowedHosts',
  'allowedOrigins',
  'forwardHeaders',
  'dropHeaders',
  'trustedProxies',
  'threads',
  'policies',
  'tenants',
  'operators',
]
const ofTheProcessIn: Readonly<Record<string, readonly string[]>> = {
  limits: ['stageMs', 'drainMs', 'drainDelayMs', 'threadBytes', 'packMs', 'threadIdleMs', 'liveSessions', 'liveBytes'],
  promptCache: ['cachedContents', 'mostContents', 'mostStorageUsd'],
  retention: ['maxReceipts', 'evidenceDays', 'manifestDays', 'rawDays'],
  summaries: ['timeoutMs', 'waiting'],
}

/** By name: what a tenant says, as metadata are, and where it then stands. */
const said: Readonly<Record<string, readonly [text: string, place: string, value: unknown]>> = {
  mode: ['observe', 'mode', 'observe'],
  policy: ['thrifty', 'policy', 'thrifty'],
  rehydrate: ['false', 'rehydrate', false],
  no_rehydrate: ['true', 'rehydrate', false],
  largest_window: ['false', 'largestWindow', false],
  tokenizer: ['heuristic', 'tokenizer', 'heuristic'],
  tokenizer_mode: ['heuristic', 'tokenizer', 'heuristic'],
  record: ['receipts', 'record', 'receipts'],
  repairs: ['5', 'repairs', 5],
  constraints: ['[]', 'constraints', []],
  checklist: ['[]', 'checklist', []],
  pinned: ['["mode"]', 'pinned', ['mode']],
  allowed_routes: ['["responses"]', 'allowedRoutes', ['responses']],
  allowed_models: ['["gpt-5*"]', 'allowedModels', ['gpt-5*']],
  allowed_upstreams: ['["openai"]', 'allowedUpstreams', ['openai']],
  whole_account: ['true', 'wholeAccount', true],
  models: ['{"mine":{"windowTokens":9000}}', 'models.mine', { windowTokens: 9000 }],
  aliases: ['{"fast":"gpt-5-mini"}', 'aliases.fast', 'gpt-5-mini'],
  model_routes: ['{"auto":{"cheap":"a","dear":"b"}}', 'modelRoutes.auto', { cheap: 'a', dear: 'b' }],
  fallbacks: ['{"gpt-5":["gpt-5-mini"]}', 'fallbacks.gpt-5', ['gpt-5-mini']],
  upstreams: ['{"openai":{"apiKey":"k"}}', 'upstreams.openai', { apiKey: 'k' }],
  summaries_model: ['small', 'summaries.model', 'small'],
  cache_keepalive: ['false', 'promptCache.keepalive', false],
  keepalive_interval: ['120', 'promptCache.keepaliveMs', 120_000],
  prompt_cache_keepalive: ['false', 'promptCache.keepalive', false],
  compaction: ['{"preserveRecent":4}', 'compaction', { preserveRecent: 4 }],
  budgets: ['{"usdPerDay":4}', 'budgets', { usdPerDay: 4 }],
  teams: ['{"web":{"budgets":{"usdPerDay":4}}}', 'teams', { web: { budgets: { usdPerDay: 4 } } }],
  summaries_handoff_model: ['dear', 'summaries.handoffModel', 'dear'],
  prompt_cache_keepalive_ms: ['20000', 'promptCache.keepaliveMs', 20_000],
  prompt_cache_most_refreshes: ['1', 'promptCache.mostRefreshes', 1],
  prompt_cache_steady_instructions: ['false', 'promptCache.steadyInstructions', false],
  retention_session_idle_days: ['1', 'retention.sessionIdleDays', 1],
  retention_receipt_days: ['2', 'retention.receiptDays', 2],
  limits_body_bytes: ['2048', 'limits.bodyBytes', 2048],
  limits_event_bytes: ['2048', 'limits.eventBytes', 2048],
  limits_reply_bytes: ['2048', 'limits.replyBytes', 2048],
  limits_rehydrate_rounds: ['3', 'limits.rehydrateRounds', 3],
  limits_rehydrate_chars: ['999', 'limits.rehydrateChars', 999],
  limits_tool_ms: ['88', 'limits.toolMs', 88],
  limits_collect_ms: ['77', 'limits.collectMs', 77],
  limits_waiting_requests: ['9', 'limits.waitingRequests', 9],
  limits_waiting_bytes: ['2048', 'limits.waitingBytes', 2048],
  limits_underway_bytes: ['2048', 'limits.underwayBytes', 2048],
  timeouts_connect_ms: ['5', 'timeouts.connectMs', 5],
  timeouts_first_byte_ms: ['5', 'timeouts.firstByteMs', 5],
  timeouts_content_ms: ['5', 'timeouts.contentMs', 5],
  timeouts_idle_ms: ['5', 'timeouts.idleMs', 5],
  timeouts_total_ms: ['5', 'timeouts.totalMs', 5],
}

const at = (value: unknown, place: string): unknown =>
  place.split('.').reduce<unknown>((here, name) => (here as Record<string, unknown> | undefined)?.[name], value)

describe('C-027: settings of a gateway that a tenant has otherwise, by their names in lower case', () => {
  it('are all that there are, less those of the process', () => {
    const all = parseConfig({})
    const given = Object.values(said).map(([, place]) => place)
    // Figures of the policy have names of their own, in the same place.
    for (const name of Object.keys(all)) {
      if (ofTheProcess.includes(name) || name === 'settings') continue
      expect([name, given.some((place) => place.split('.')[0] === name)]).toEqual([name, true])
    }
    for (const group of ['limits', 'timeouts', 'promptCache', 'retention', 'summaries'] as const)
      for (const name of Object.keys(all[group])) {
        if (ofTheProcessIn[group]?.includes(name)) continue
        expect([group, name, given.includes(`${group}.${name}`)]).toEqual([group, name, true])
      }
    expect(Object.keys(said).toSorted()).toEqual(tenantNames.toSorted())
  })

  it.each(Object.entries(said))('%s', (name, [text, place, value]) => {
    const config = parseConfig({ tenants: { acme: { metadata: { [name]: text } }, other: {} } })
    expect(at(config.tenants['acme'], place)).toEqual(value)
    const wrong = () => parseConfig({ tenants: { acme: { metadata: { [name]: { '': [] } } } } })
    expect(wrong).toThrow(/^tenants\.acme\./)
    const [group = ''] = place.split('.')
    if (!(group in settingsFor(config, 'acme'))) return
    expect(at(settingsFor(config, 'acme'), place)).toEqual(value)
    expect(at(settingsFor(config, 'other'), place)).toEqual(at(config, place))
  })

  it.each<[NonNullable<GatewayConfigInput['tenants']>[string], string]>([
    [{ retention: { receiptDays: 999 } }, 'tenants.acme.retention.receiptDays: is more than'],
    [{ upstreams: { mybox: {} } }, 'tenants.acme.upstreams.mybox.baseUrl: is needed'],
    [
      { aliases: { auto: 'x' }, modelRoutes: { auto: { cheap: 'a', dear: 'b' } } },
      'tenants.acme.aliases.auto: is a name',
    ],
  ])('what cannot be is refused by name: %j', (tenant, message) => {
    expect(() => parseConfig({ tenants: { acme: tenant } })).toThrow(message)
  })
})

describe('what a tenant has otherwise, in what is sent', () => {
  const opened = (acme: NonNullable<GatewayConfigInput['tenants']>[string], more: GatewayConfigInput = {}) =>
    testGateway({ script: () => 'done', config: { tokens, tenants: { acme }, ...more } })
  const asked = async (gateway: TestGateway, tenant: string, body = dialect.body(1)) => {
    const response = await post(gateway, dialect, body, as(tenant))
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  it('prices of models: the cost of its requests', async () => {
    const prices = { input: 1000, output: 1000 }
    const gateway = await opened({ models: { 'gpt-5.1': { prices } } })
    const costOf = async (tenant: string) => {
      await asked(gateway, tenant)
      const [receipt] = await gateway.store.read('receipts').list(tenant, { limit: 1 })
      return receipt!.result!.cost!.usd!
    }
    expect(await costOf('acme')).toBeGreaterThan(100 * (await costOf('umbrella')))
  })

  it('a window of a model: how much of a conversation is sent', async () => {
    const gateway = await opened({ models: { 'gpt-5.1': { windowTokens: 24_000 } } })
    const savedOf = async (tenant: string) =>
      Number((await asked(gateway, tenant, dialect.body(8))).headers.get('x-prehend-saved-tokens'))
    expect(await savedOf('acme')).toBeGreaterThan(1000 + (await savedOf('umbrella')))
  })

  it('points that answers should have', async () => {
    const gateway = await opened({ checklist: ['Oslo'] })
    const [own, other] = [await asked(gateway, 'acme'), await asked(gateway, 'umbrella')]
    expect([own.headers.get('x-prehend-checklist'), other.headers.get('x-prehend-checklist')]).toEqual(['0/1', null])
  })

  it('providers, keys, names of models and those that stand in', async () => {
    const heard: string[] = []
    const servers = await Promise.all(
      ['all', 'own'].map(async (name) => {
        const server = createServer((request, response) => {
          let body = ''
          request.on('data', (chunk: Buffer) => (body += chunk.toString()))
          request.on('end', () => {
            const { model } = JSON.parse(body) as { readonly model: string }
            heard.push(`${name} ${request.headers.authorization} ${model}`)
            const choices = [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }]
            const status = model === 'overloaded' ? 503 : 200
            response.writeHead(status, { 'content-type': 'application/json' })
            response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model, choices }))
          })
        })
        await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
        return server
      }),
    )
    const [ofAll = '', own = ''] = servers.map(
      (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    )
    const gateway = await openGateway(
      parseConfig({
        port: 0,
        tokens,
        upstreams: { mybox: { baseUrl: ofAll, apiKey: 'key-of-all' } },
        aliases: { fast: 'small' },
        tenants: {
          acme: {
            upstreams: { mybox: { apiKey: 'key-of-acme' }, ours: { baseUrl: own, apiKey: 'ours', models: ['big'] } },
            aliases: { fast: 'smaller', slow: 'big' },
            fallbacks: { overloaded: ['big'] },
          },
        },
      }),
      { store: memoryStore() },
    )
    const ask = async (tenant: string, model: string) => {
      const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello.' }] })
      const headers = { 'content-type': 'application/json', ...as(tenant) }
      const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
      await response.text()
      return response.status
    }
    for (const [tenant, model] of [
      ['umbrella', 'fast'],
      ['acme', 'fast'],
      ['acme', 'slow'],
      ['umbrella', 'slow'],
      ['acme', 'overloaded'],
    ] as const)
      await ask(tenant, model)
    expect(await ask('umbrella', 'overloaded')).toBe(503)
    await gateway.close(0)
    for (const server of servers) server.close()
    expect(heard).toEqual([
      'all Bearer key-of-all small',
      'all Bearer key-of-acme smaller',
      'own Bearer ours big',
      'all Bearer key-of-all slow',
      'all Bearer key-of-acme overloaded',
      'own Bearer ours big',
      'all Bearer key-of-all overloaded',
    ])
  })
})
