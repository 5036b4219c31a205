import { afterEach, describe, expect, it } from 'vitest'
import type { GatewayConfigInput } from '../index.ts'
import { gatewayMetrics } from '../telemetry/metrics.ts'
import { rawRequest } from './raw-request.fixture.ts'
import { closeSocketGateways, socketGateway } from './socket-gateway.fixture.ts'
import type { Answering, SocketGateway } from './socket-gateway.fixture.ts'

afterEach(closeSocketGateways)

const tokens = ['a', 'b', 'ops'].map((tenant) => ({ token: `token-of-${tenant}`, tenant }))
const config: GatewayConfigInput = { tokens, operators: ['ops'] }
const as = (tenant: string) => ({ 'authorization': `Bearer token-of-${tenant}`, 'content-type': 'application/json' })

const metricsOf = async (gateway: SocketGateway, tenant = 'ops') =>
  (await rawRequest(gateway.url, { path: '/metrics', headers: as(tenant) })).text

const ask = (gateway: SocketGateway, tenant: string, body: object) =>
  rawRequest(gateway.url, {
    method: 'POST',
    path: '/v1/chat/completions',
    headers: as(tenant),
    body: JSON.stringify({ messages: [{ role: 'user', content: 'x' }], ...body }),
  })

const usage = { prompt_tokens: 10, completion_tokens: 2 }

/** Answers some models, and refuses others. */
const answer: Answering = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => void chunks.push(chunk))
  request.on('end', () => {
    const { model } = JSON.parse(Buffer.concat(chunks).toString()) as { model: string }
    const status = model === 'gpt-5' ? 429 : model === 'gpt-4o' ? 400 : 200
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hi' } }]
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(status === 200 ? { id: 'c', model, choices, usage } : { error: { message: 'no' } }))
  })
}

describe('metrics', () => {
  it('tell tenants, upstreams, models and statuses apart, the gateway’s own refusals included', async () => {
    const gateway = await socketGateway({ config: { ...config, fallbacks: { 'gpt-5': ['gpt-5.1'] } }, answer })
    await ask(gateway, 'a', { model: 'gpt-5.1' })
    await ask(gateway, 'b', { model: 'gpt-5' })
    await ask(gateway, 'b', { model: 'gpt-4o' })
    await ask(gateway, 'b', { model: 'gpt-5.1', prehend: { mode: 'fast' } })
    await ask(gateway, 'nobody', { model: 'gpt-5.1' })
    const text = await metricsOf(gateway)
    for (const line of [
      'prehend_answers_total{tenant="a",upstream="openai",model="gpt-5.1",status="200"} 1',
      'prehend_answers_total{tenant="b",upstream="openai",model="gpt-4o",status="400"} 1',
      'prehend_answers_total{tenant="unknown",upstream="none",model="none",status="401"} 1',
      'prehend_fallbacks_total{from="gpt-5",to="gpt-5.1"} 1',
      'prehend_used_tokens_total{tenant="a",upstream="openai",model="gpt-5.1",kind="input"} 10',
      'prehend_request_seconds_count 3',
    ])
      expect(text).toContain(line)
    expect(text).toMatch(/^prehend_spent_usd_total\{tenant="a",upstream="openai",model="gpt-5.1"\} 0\.0000/m)
    expect(text).toMatch(/^prehend_answers_total\{tenant="unknown",upstream="none",model="none",status="400"\} 1$/m)
  })

  it('of the whole process are for operators, where there are several tenants', async () => {
    const gateway = await socketGateway({ config, answer })
    const status = async (tenant: string) =>
      (await rawRequest(gateway.url, { path: '/metrics', headers: as(tenant) })).status
    expect([await status('a'), await status('ops')]).toEqual([403, 200])
    const addresses = async (tenant: string) => {
      const { text } = await rawRequest(gateway.url, { path: '/v1/health', headers: as(tenant) })
      return (JSON.parse(text) as { upstreams: { address: string | null }[] }).upstreams.map(
        ({ address }) => address !== null,
      )
    }
    expect([await addresses('a'), await addresses('ops')]).toEqual([
      [false, false],
      [true, true],
    ])
    const alone = await socketGateway({ config: { tokens: [tokens[0]!] }, answer })
    expect((await rawRequest(alone.url, { path: '/metrics', headers: as('a') })).status).toBe(200)
  })

  it('requests under way are told to each tenant of its own, and to operators of all', async () => {
    const release: (() => void)[] = []
    const held: Answering = (request, response) => {
      request.resume()
      release.push(() => void response.setHeader('content-type', 'application/json').end('{}'))
    }
    const gateway = await socketGateway({ config, answer: held })
    const underway = async (tenant: string): Promise<number> => {
      const { text } = await rawRequest(gateway.url, { path: '/v1/health', headers: as(tenant) })
      return (JSON.parse(text) as { underway: number }).underway
    }
    const all = async () => [await underway('a'), await underway('b'), await underway('ops')]
    const asked = ['a', 'a', 'ops'].map((tenant) => ask(gateway, tenant, { model: 'gpt-5.1' }))
    await expect.poll(() => release.length).toBe(3)
    expect(await all()).toEqual([2, 0, 3])
    for (const end of release) end()
    await Promise.all(asked)
    await expect.poll(all).toEqual([0, 0, 0])
  })

  it('background jobs are told to operators, by kind', async () => {
    const gateway = await socketGateway({ config, answer })
    const jobs = async (tenant: string) => {
      const { text } = await rawRequest(gateway.url, { path: '/v1/health', headers: as(tenant) })
      return (JSON.parse(text) as { jobs: { kind: string; waiting: number; failed: number }[] }).jobs
    }
    expect(await jobs('a')).toEqual([])
    const told = await jobs('ops')
    expect(told.map(({ kind, waiting, failed }) => [kind, waiting, failed])).toEqual([
      ['calibration', 1, 0],
      ['prune', 1, 0],
      ['sweep', 1, 0],
    ])
    const { text } = await rawRequest(gateway.url, { path: '/metrics', headers: as('ops') })
    expect(text).toContain('prehend_jobs{kind="prune",state="waiting"} 1')
  })

  it('have a bounded number of series, whatever models clients name', async () => {
    const { registry, answers } = gatewayMetrics()
    for (let index = 0; index < 700; index += 1)
      answers.inc({ tenant: 'a', upstream: 'openai', model: `model-${index}`, status: '404' })
    answers.inc({ tenant: 'a', upstream: 'openai', model: 'model-3', status: '404' })
    const text = await registry.metrics()
    expect(text.match(/^prehend_answers_total\{/gm)).toHaveLength(501)
    expect(text).toContain('model="other",status="404"} 200')
    expect(text).toContain('model="model-3",status="404"} 2')
  })
})
