import { afterEach, expect, it } from 'vitest'
import { compileDocument } from '../api/routes/system-routes.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

it('the document in the description of POST /v1/compile compiles to messages with its passage', async () => {
  const [, document = ''] = /`(\{ "schema".*\})`/.exec(compileDocument.more ?? '') ?? []
  const gateway = await testGateway()
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${gateway.url}/v1/compile`, { method: 'POST', headers, body: document })
  expect(response.status).toBe(200)
  const { pack } = (await response.json()) as { pack: { messages: { role: string; text: string }[] } }
  expect(pack.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(pack.messages[1]?.text).toContain('The build broke on Monday.')
})
