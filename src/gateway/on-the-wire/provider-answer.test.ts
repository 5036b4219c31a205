import { afterEach, expect, it } from 'vitest'
import type { Upstream } from '../../providers/index.ts'
import type { ScriptEntry } from '../../providers/index.ts'
import type { ProviderAnswer } from '../../stores/index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway, TestGatewayOptions } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

/** What the receipt of one request says that the provider has answered, and what the client got. */
async function answerTo(
  options: TestGatewayOptions,
  { dialect = anthropicFixture, stream = false }: { dialect?: DialectFixture; stream?: boolean } = {},
): Promise<{ readonly answer: ProviderAnswer | undefined; readonly text: string }> {
  const gateway = await testGateway(options)
  const response = await post(gateway, dialect, dialect.body(1, { stream }))
  const text = await response.text()
  return { answer: await recorded(gateway), text }
}

async function recorded({ url }: TestGateway): Promise<ProviderAnswer | undefined> {
  interface Listed {
    readonly data: readonly { readonly requestId: string; readonly result?: { readonly answer?: ProviderAnswer } }[]
  }
  const list = async (): Promise<Listed> => (await (await fetch(`${url}/v1/packs`)).json()) as Listed
  await expect.poll(async () => (await list()).data[0]?.result).toBeDefined()
  const [listed] = (await list()).data
  const summary = await (await fetch(`${url}/v1/packs/${listed!.requestId}/summary`)).json()
  expect((summary as { result: object }).result).toEqual(listed!.result)
  return listed!.result!.answer
}

const refusing = (status: number, message: string): ScriptEntry => ({ fault: { kind: 'error', status, message } })

/** A provider, or something before it, that answers anything. */
function answering(status: number, body: string, headers: Record<string, string> = {}): Upstream {
  return {
    name: 'odd',
    send: async () => ({
      status,
      headers: { 'content-type': 'text/html', ...headers },
      body: new Blob([body]).stream(),
    }),
    close: async () => undefined,
  }
}

it.each([openaiFixture, anthropicFixture])('what a provider refuses with is in the receipt: $name', async (dialect) => {
  for (const stream of [false, true]) {
    const { answer } = await answerTo({ script: [refusing(400, 'prompt is too long')] }, { dialect, stream })
    expect(answer).toEqual({ status: 400, type: 'invalid_request_error', message: 'prompt is too long' })
  }
})

it('a request that was answered has no such member', async () => {
  expect((await answerTo({ script: ['fine'] })).answer).toBeUndefined()
})

it('the client gets what it would get, however long it is; of it 2,000 characters are kept', async () => {
  const said = `no: ${'x'.repeat(200_000)}`
  const { answer, text } = await answerTo({ script: [refusing(400, said)] })
  expect((JSON.parse(text) as { error: { message: string } }).error.message).toBe(said)
  expect(answer?.message).toBe(said.slice(0, 2000))
})

it('where content is not recorded its name is told, and not its words', async () => {
  const config: GatewayConfigInput = { record: 'receipts' }
  const { answer } = await answerTo({ config, script: [refusing(400, 'your text “secret” is too long')] })
  expect(answer).toEqual({ status: 400, type: 'invalid_request_error', message: null, whyNot: 'not-recorded' })
})

it('a stream that ends in an error event tells it', async () => {
  const fault = { kind: 'stream-error', afterChunks: 1, message: 'overloaded now' } as const
  const { answer } = await answerTo({ script: [{ text: 'one two three', fault }] }, { stream: true })
  expect(answer).toMatchObject({ status: 529, message: 'overloaded now' })
})

it("a proxy's page is told as it is, an encoded one is not, an empty one neither", async () => {
  const upstreamOf = (body: string, headers?: Record<string, string>) => ({ upstream: answering(502, body, headers) })
  expect((await answerTo(upstreamOf('<h1>Bad gateway</h1>'))).answer).toEqual({
    status: 502,
    message: '<h1>Bad gateway</h1>',
  })
  expect((await answerTo(upstreamOf('zzz', { 'content-encoding': 'odd' }))).answer?.whyNot).toBe('unreadable')
  expect((await answerTo(upstreamOf(''))).answer?.whyNot).toBe('empty')
})
