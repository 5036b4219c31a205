import { afterEach, expect, it } from 'vitest'
import { rawRequest } from './raw-request.fixture.ts'
import { closeSocketGateways, socketGateway } from './socket-gateway.fixture.ts'

afterEach(closeSocketGateways)

const places = ['cache', 'collections', 'memory', 'templates']

it.each(places)('/v1/%s is ours, and does not exist yet: nothing of it goes to a provider', async (place) => {
  const gateway = await socketGateway()
  for (const path of [`/v1/${place}`, `/v1/${place}/name`, `/v1/${place}/a/b?c=d`]) {
    const asked = { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: '{"text":"hello"}' }
    const { status, text } = await rawRequest(gateway.url, asked)
    expect([path, status]).toEqual([path, 501])
    expect(text).toContain('Nothing was sent to a provider')
  }
  expect(gateway.arrived).toEqual([])
})
