import { afterEach, expect, it } from 'vitest'
import { fetchUpstream } from '../../providers/index.ts'
import { keyGateway, keyTokens } from '../on-the-wire/keys.fixture.ts'
import { closeTestGateways, testGateway } from '../on-the-wire/test-gateway.fixture.ts'
import type { TestGateway } from '../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)

const config = {
  aliases: { best: 'gpt-5.1', known: 'gpt-5.1-mini' },
  modelRoutes: { auto: { cheap: 'gpt-5-mini', dear: 'gpt-5.1' } },
}

/** A gateway whose provider answers so, whatever it is asked. */
function listing(answer: unknown, { status = 200 } = {}, own: object = config): Promise<TestGateway> {
  const fetch = async (): Promise<Response> =>
    new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), {
      status,
      headers: { 'content-type': 'application/json' },
    })
  return testGateway({ config: own, upstream: fetchUpstream({ name: 'lister', origin: 'http://lister', fetch }) })
}

const asked = async ({ url }: TestGateway, path: string, headers: Record<string, string> = {}): Promise<unknown> =>
  (await fetch(url + path, { headers })).json()

it('lists aliases and names that a model is chosen for behind the models of the provider, once', async () => {
  const model = { id: 'known', object: 'model', created: 1, owned_by: 'somebody' }
  const gateway = await listing({ object: 'list', data: [model] })
  const { data, object } = (await asked(gateway, '/v1/models')) as { object: string; data: { id: string }[] }
  expect(object).toBe('list')
  expect(data[0]).toEqual(model)
  expect(data.map(({ id }) => id)).toEqual(['known', 'auto', 'best'])
})

it('writes them as the dialect does', async () => {
  const anthropic = await listing({ data: [], has_more: false })
  const { data } = (await asked(anthropic, '/v1/models', { 'anthropic-version': '2023-06-01' })) as {
    data: { type: string; display_name: string }[]
  }
  expect(data[0]).toMatchObject({ type: 'model', id: 'auto', display_name: 'auto' })
  const gemini = await listing({ models: [{ name: 'models/gemini-3.5-flash' }] })
  const { models } = (await asked(gemini, '/v1beta/models')) as { models: { name: string }[] }
  expect(models.map(({ name }) => name)).toEqual([
    'models/gemini-3.5-flash',
    'models/auto',
    'models/best',
    'models/known',
  ])
})

it.each([
  ['a page behind which another follows', { data: [{ id: 'a' }], has_more: true }, {}, config],
  ['a list of a gateway without names of its own', { data: [{ id: 'a' }] }, {}, {}],
  ['a refusal', { error: { message: 'no', type: 'x' } }, { status: 403 }, config],
  ['what is no list', { data: 'nothing' }, {}, config],
])('leaves %s as it is', async (_, answer, status, own) => {
  const gateway = await listing(answer, status, own)
  expect(await asked(gateway, '/v1/models', { 'anthropic-version': '2023-06-01' })).toEqual(answer)
})

it('lists to a key the models that it may use', async () => {
  const answer = { object: 'list', data: ['gpt-5.1', 'gpt-5-mini', 'o9'].map((id) => ({ id, object: 'model' })) }
  const fetch = async (): Promise<Response> =>
    new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })
  const upstream = fetchUpstream({ name: 'lister', origin: 'http://lister', fetch })
  const gateway = await keyGateway({ upstream, config })
  const listed = async (allowedModels?: readonly string[]) => {
    const { body } = await gateway.as(keyTokens.boss, 'POST', '/v1/keys', { name: 'x', allowedModels })
    const { body: list } = await gateway.as(body.secret, 'GET', '/v1/models')
    return (list.data as unknown as { id: string }[]).map(({ id }) => id)
  }
  expect(await listed()).toEqual(['gpt-5.1', 'gpt-5-mini', 'o9', 'auto', 'best', 'known'])
  expect(await listed(['openai/gpt-5-*', 'o9'])).toEqual(['gpt-5-mini', 'o9', 'auto'])
  expect(await listed(['gpt-5.1'])).toEqual(['gpt-5.1', 'auto', 'best'])
  expect(await listed(['none'])).toEqual([])
})
