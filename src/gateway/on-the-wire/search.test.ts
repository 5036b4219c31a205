import { afterEach, expect, it } from 'vitest'
import { closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const bash = { type: 'function', function: { name: 'bash', parameters: { type: 'object', properties: {} } } }
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"cat ferry.txt"}' } }],
}
const body = (result: string) => ({
  model: 'gpt-5.1',
  tools: [bash],
  messages: [
    { role: 'user', content: 'Find the timetable.' },
    call,
    { role: 'tool', tool_call_id: 'a', content: result },
  ],
})

interface Found {
  readonly texts: readonly Readonly<Record<'session' | 'requestId' | 'name' | 'excerpt', string>>[]
  readonly whyNoTexts: string | null
}

async function search({ url }: TestGateway, q: string, headers: Record<string, string> = {}): Promise<Found> {
  const answer = await fetch(`${url}/v1/search?q=${encodeURIComponent(q)}`, { headers })
  return (await answer.json()) as Found
}

it('texts are found by their words, with what stands around them, the name of the item and its request', async () => {
  const gateway = await testGateway({ script: () => 'The porpoise ferry leaves at nine.' })
  const result = `${'An ordinary line of text. '.repeat(40)}The last ferry is the Walrus, at midnight. ${'More lines. '.repeat(40)}`
  const session = { 'x-session-id': 'ferries', 'user-agent': 'sailor/1.2' }
  await (await post(gateway, openaiFixture, body(result), session)).text()
  const { texts, whyNoTexts } = await search(gateway, 'walrus')
  expect(texts).toHaveLength(1)
  expect(texts[0]).toMatchObject({ session: 'ferries', name: 'bash: cat ferry.txt' })
  expect(texts[0]?.excerpt).toContain('The last ferry is the Walrus, at midnight.')
  expect(texts[0]?.excerpt.length).toBeLessThan(300)
  expect(whyNoTexts).toBeNull()
  const pack = await fetch(`${gateway.url}/v1/packs/${texts[0]?.requestId}/summary`)
  expect(await pack.json()).toMatchObject({ session: 'ferries', client: 'sailor' })
  expect((await search(gateway, 'timetable')).texts[0]?.name).toBe('Find the timetable.')
  expect((await search(gateway, 'zebra')).texts).toEqual([])
})

it('no text of another tenant is found', async () => {
  const tokens = [
    { token: 'token-of-the-first', tenant: 'one' },
    { token: 'token-of-the-second', tenant: 'two' },
  ]
  const gateway = await testGateway({ script: () => 'done', config: { tokens } })
  const as = (token: string) => ({ authorization: `Bearer ${token}` })
  await (await post(gateway, openaiFixture, body('The Walrus.'), as('token-of-the-first'))).text()
  expect((await search(gateway, 'walrus', as('token-of-the-first'))).texts).toHaveLength(1)
  expect((await search(gateway, 'walrus', as('token-of-the-second'))).texts).toEqual([])
})

it('where content is not recorded, the answer says so and names the setting', async () => {
  const gateway = await testGateway({ script: () => 'done', config: { record: 'receipts' } })
  await (await post(gateway, openaiFixture, body('The Walrus.'))).text()
  expect(await search(gateway, 'walrus')).toMatchObject({
    texts: [],
    whyNoTexts: expect.stringContaining('Set record to "content"') as string,
  })
})
