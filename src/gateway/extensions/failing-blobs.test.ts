import { describe, expect, it } from 'vitest'
import { s3Blobs } from '../../stores/remote/index.ts'
import { openaiFixture, post, testGateway } from '../on-the-wire/test-gateway.fixture.ts'
import { extension } from './index.ts'

/** All of it needs a blob, which cannot be written. */
const needy = (failure: 'open' | 'closed') =>
  extension({
    name: 'needy',
    specificationVersion: 1,
    open({ blobs }) {
      const put = () => blobs.put('acme', new Uint8Array(3))
      return {
        layers: [{ name: 'needy-layer', failure, handle: async (exchange, next) => (await put(), next(exchange)) }],
        sources: [{ id: 'needy-source', collect: async () => (await put(), []) }],
        tools: [
          {
            definition: { name: 'needy_tool', description: 'Needs.', schema: { type: 'object', properties: {} } },
            answer: async () => (await put(), { text: 'done', found: true }),
          },
        ],
        routes: [{ method: 'get', path: '/blob', answer: async () => ({ json: await put() }) }],
      }
    },
  })

const failedGateway = async (failure: 'open' | 'closed') => {
  const refused = new Response('<Error><Code>AccessDenied</Code></Error>', { status: 403 })
  const blobs = await s3Blobs({ url: 's3://KEY:hidden@s3.example/blobs', fetch: async () => refused.clone() })
  let asks = true
  const script = () => {
    if (!asks) return 'done'
    asks = false
    return { toolCalls: [{ name: 'needy_tool', arguments: {} }] }
  }
  return testGateway({ script, host: { extensions: [needy(failure)], blobs } })
}

const said =
  'S3 at s3://s3.example/blobs could not write: it answered 403 AccessDenied. Let this key use GetObject, PutObject and DeleteObject on the bucket, and ListBucket of it.'

describe('blobs that fail', () => {
  it('cost a request what needs them: an open layer, a source and a tool, and no more', async () => {
    const gateway = await failedGateway('open')
    const response = await post(gateway, openaiFixture, openaiFixture.body(2))
    expect(response.status).toBe(200)
    expect(response.headers.get('x-prehend-skipped')).toBe('needy-layer, needy-source')
    expect(await response.text()).toContain('done')
    expect(gateway.provider.requests[1]?.body).toContain(`The tool needy_tool failed. ${said}`)
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(receipt?.result?.skipped).toEqual(['needy-layer', 'needy-source'])
    expect(receipt?.result?.layers).toContainEqual(expect.objectContaining({ name: 'needy-layer', outcome: 'skipped' }))
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    for (const stage of ['needy-layer', 'needy-source', 'needy_tool'])
      expect(metrics).toContain(`prehend_stages_skipped_total{stage="${stage}"} 1`)
    expect(gateway.log).toContainEqual({
      level: 'warn',
      event: 'stage-skipped',
      fields: expect.objectContaining({ stage: 'needy-layer', reason: 'PrehendError store-failed' }),
    })
    expect(JSON.stringify(gateway.log)).not.toContain('hidden')
  })

  it('end a request with a layer that is closed, and one of a route, in their own words', async () => {
    const gateway = await failedGateway('closed')
    const response = await post(gateway, openaiFixture, openaiFixture.body(2))
    const { error } = (await response.json()) as { readonly error: object }
    expect([response.status, error]).toEqual([500, expect.objectContaining({ code: 'store_failed', message: said })])
    expect(gateway.provider.requests).toEqual([])
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(receipt?.result).toMatchObject({ status: 500, failure: 'store-failed' })
    expect(gateway.log).toContainEqual(expect.objectContaining({ level: 'warn', event: 'layer-failed' }))
    const route = await fetch(`${gateway.url}/v1/extensions/needy/blob`)
    expect([route.status, await route.json()]).toEqual([
      500,
      { error: expect.objectContaining({ code: 'store_failed', message: said }) },
    ])
  })
})
