import { expect, it } from 'vitest'
import { simulatedProvider } from './simulated-provider.ts'

it('says which port is taken', async () => {
  const server = await simulatedProvider().listen()
  await expect(simulatedProvider().listen(server.port)).rejects.toMatchObject({
    code: 'invalid-input',
    data: { field: 'port' },
  })
  await server.close()
  await server.close()
})

it('answers what nobody serves in the dialect that it looks like', async () => {
  const server = await simulatedProvider().listen()
  const headers = { 'x-api-key': 'k' }
  const openai = await fetch(`${server.url}/v1/audio/speech`, { method: 'POST', body: '{}', headers })
  expect(openai.status).toBe(404)
  expect(await openai.json()).toMatchObject({ error: { type: 'invalid_request_error', param: null, code: null } })
  const anthropic = await fetch(`${server.url}/v1/messages/batches`, { method: 'POST', body: '{}', headers })
  expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
  await server.close()
})

it('refuses a body over 32 MB as Anthropic does', async () => {
  const server = await simulatedProvider().listen()
  const init = { method: 'POST', headers: { 'x-api-key': 'k' }, body: 'x'.repeat(33 * 1024 * 1024) }
  const response = await fetch(`${server.url}/v1/messages`, init)
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ error: { type: 'request_too_large' } })
  await server.close()
})
