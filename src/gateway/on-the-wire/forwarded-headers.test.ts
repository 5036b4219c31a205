import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { droppedHeaders } from '../access/dropped-headers.ts'
import { parseConfig } from '../index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { closeGateways, gatewayBefore } from './any-upstream.fixture.ts'

afterEach(closeGateways)

/** `fetch` sends no header of the connection. */
async function get(url: string, headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
  const asked = request(url, { headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response
}

describe('headers', () => {
  it('that `connection` names end with their connection, in both directions', async () => {
    let seen: IncomingHttpHeaders = {}
    const url = await gatewayBefore(({ headers }, response) => {
      seen = headers
      response.writeHead(200, {
        'content-type': 'application/json',
        'connection': 'close, X-Provider-Hop',
        'x-provider-hop': '1',
        'x-provider-kept': '1',
      })
      response.end('{}')
    })
    const hop = { 'connection': 'Keep-Alive, X-Drop ,x-also', 'x-drop': 'secret', 'x-also': 'secret', 'x-kept': '1' }
    const response = await get(`${url}/v1/models`, hop)
    expect(seen).toMatchObject({ 'x-kept': '1' })
    expect(seen).not.toHaveProperty('x-drop')
    expect(seen).not.toHaveProperty('x-also')
    expect(response.headers).toMatchObject({ 'x-provider-kept': '1' })
    expect(response.headers).not.toHaveProperty('x-provider-hop')
  })

  it('that name a session reach the provider, whose cache may go by them; what is said to us does not', async () => {
    let seen: IncomingHttpHeaders = {}
    const url = await gatewayBefore(({ headers }, response) => {
      seen = headers
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    await get(`${url}/v1/models`, { 'x-session-id': 's', 'x-session-affinity': 'a', 'x-prehend-task-class': '1' })
    expect(seen).toMatchObject({ 'x-session-id': 's', 'x-session-affinity': 'a' })
    expect(seen).not.toHaveProperty('x-prehend-task-class')
  })

  const sent = async (headers: OutgoingHttpHeaders, config?: GatewayConfigInput): Promise<IncomingHttpHeaders> => {
    let seen: IncomingHttpHeaders = {}
    const url = await gatewayBefore(({ headers: got }, response) => {
      seen = got
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }, config)
    await get(`${url}/v1/models`, headers)
    return seen
  }

  it.each(
    droppedHeaders.flatMap(([names, about]) => names.map((name) => [name.replace('*', 'anything'), about] as const)),
  )('%s does not reach the provider: %s', async (name) => {
    expect(await sent({ [name]: 'identity', 'anthropic-beta': 'b' })).not.toHaveProperty(name)
  })

  it('that say what a provider has to know reach it', async () => {
    const needed = { 'anthropic-beta': 'b', 'cf-aig-authorization': 'c', 'traceparent': 't', 'x-team': 'web' }
    expect(await sent(needed)).toMatchObject(needed)
  })

  it('reach the provider, or not, as the configuration says; what it drops goes before what it forwards', async () => {
    const config = {
      forwardHeaders: ['X-Request-Id', 'x-envoy-*'],
      dropHeaders: ['x-team-*', 'x-envoy-peer-metadata', 'anthropic-beta'],
    }
    const headers = {
      'x-request-id': 'r',
      'x-envoy-attempt-count': '1',
      'x-kept': '1',
      'cookie': 'c',
      'x-team-name': 'w',
    }
    const seen = await sent({ ...headers, 'x-envoy-peer-metadata': 'm', 'anthropic-beta': 'b' }, config)
    expect(seen).toMatchObject({ 'x-request-id': 'r', 'x-envoy-attempt-count': '1', 'x-kept': '1' })
    for (const name of ['cookie', 'x-team-name', 'x-envoy-peer-metadata', 'anthropic-beta'])
      expect(seen).not.toHaveProperty(name)
  })

  it.each([
    [{ dropHeaders: ['*'] }, 'dropHeaders[0]'],
    [{ dropHeaders: ['Content-*'] }, 'dropHeaders[0]'],
    [{ forwardHeaders: ['Authorization'] }, 'forwardHeaders[0]'],
    [{ forwardHeaders: ['x-*-id'] }, 'forwardHeaders[0]'],
  ])('%j is refused by its place', (config, field) => {
    expect(() => parseConfig(config)).toThrow(field)
  })

  it('that are dropped stand on the page that says what goes on', () => {
    const page = readFileSync('docs/gateway/servers.md', 'utf8')
    for (const [names] of droppedHeaders) for (const name of names) expect(page).toContain(`\`${name}\``)
  })
})
