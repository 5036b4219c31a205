import { afterEach, expect, it } from 'vitest'
import { closeTestGateways, openaiFixture, post, testGateway } from '../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)

const read = { name: 'read', description: 'Reads.', parameters: { type: 'object', properties: {} } }
const model = { model: 'gpt-4.1', tools: [{ type: 'function', function: read }] }
const say = (role: string, content: string) => ({ role, content })

it('search_history finds what the client has dropped, in its own session only', async () => {
  let asks = false
  const gateway = await testGateway({
    config: { searchHistory: true },
    script: () => {
      if (!asks) return 'done'
      asks = false
      return { toolCalls: [{ name: 'search_history', arguments: { words: 'code of the vault' } }] }
    },
  })
  const send = async (session: string, messages: readonly object[]): Promise<string> =>
    (await post(gateway, openaiFixture, { ...model, messages }, { 'x-session-id': session })).text()
  await send('job', [say('user', 'The code of the vault is 7716.'), say('assistant', 'Noted.'), say('user', 'Go on.')])
  await send('other', [say('user', 'The code of the vault is 9999.')])
  asks = true
  expect(await send('job', [say('user', 'A summary without any number.'), say('user', 'Open the vault.')])).toContain(
    'done',
  )
  const { tools, messages } = JSON.parse(gateway.provider.requests.at(-1)!.body) as {
    readonly tools: readonly { readonly function: { readonly name: string } }[]
    readonly messages: readonly { readonly role: string; readonly content: string }[]
  }
  expect(tools.map((tool) => tool.function.name)).toContain('search_history')
  const answer = messages.at(-1)
  expect(answer).toMatchObject({ role: 'tool' })
  expect(answer?.content).toContain('[turn 1, user: lines 1-1 of 1]\nThe code of the vault is 7716.')
  expect(answer?.content).not.toContain('9999')
})

it('search_history is offered only where the configuration says so', async () => {
  const gateway = await testGateway({ script: () => 'done' })
  await (await post(gateway, openaiFixture, openaiFixture.body(2))).text()
  expect(gateway.provider.requests.at(-1)!.body).not.toContain('search_history')
})
