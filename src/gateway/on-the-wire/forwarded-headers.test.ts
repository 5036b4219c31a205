import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
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
})
