import { afterEach, expect, it } from 'vitest'
import { closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const line = 'src/csv.ts:10: const value = parse(cell)\n'
/** Its newest message alone is more than its model's window holds; the older ones are less. */
const body = {
  model: 'gpt-3.5-turbo',
  messages: Array.from({ length: 5 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `${at}: ${line.repeat(at === 4 ? 2_400 : 20)}`,
  })),
}

interface Summary {
  readonly sentAs: string
  readonly shortage: { readonly neededTokens: number; readonly availableTokens: number; readonly why: string } | null
  readonly manifest: { readonly originalTokens: number; readonly packTokens: number }
}

interface Shown {
  readonly rung: string
  readonly reason: string
  readonly text: string | null
  readonly original: string | null
}

it('a request that had no pack is shown as it was sent: every item in full, with the reason why nothing was shortened', async () => {
  const gateway = await testGateway({ script: () => 'done' })
  const reply = await post(gateway, openaiFixture, body)
  expect(reply.headers.get('x-prehend-outcome')).toBe('budget-exhausted')
  await reply.text()
  const path = `${gateway.url}/v1/packs/${reply.headers.get('x-prehend-request-id')}`
  const answer = async <Value>(part: string): Promise<Value> => (await (await fetch(path + part)).json()) as Value

  const { sentAs, shortage, manifest } = await answer<Summary>('/summary')
  expect(sentAs).toBe('unchanged')
  expect(shortage?.neededTokens).toBeGreaterThan(shortage?.availableTokens ?? 0)
  expect(shortage?.why).toBe('what its policy keeps does not fit, even in its shortest forms')
  expect(manifest.packTokens).toBe(0)

  const { items } = await answer<{ readonly items: readonly Shown[] }>('/view')
  expect(items.map(({ text }) => text)).toEqual(body.messages.map(({ content }) => content))
  expect(new Set(items.map(({ rung, reason }) => `${rung} ${reason}`))).toEqual(new Set(['full as-it-came']))
  expect(items.every(({ original }) => original === null)).toBe(true)

  const { data } = await answer<{ readonly data: readonly Pick<Shown, 'rung'>[] }>('/decisions')
  expect(data).toHaveLength(5)
  expect(data.every(({ rung }) => rung === 'full')).toBe(true)
})
