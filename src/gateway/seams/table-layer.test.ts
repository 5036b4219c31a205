import { afterEach, describe, expect, it } from 'vitest'
import { layerContract } from '../../testing/index.ts'
import { answered } from '../index.ts'
import type { Layer } from '../index.ts'
import { closeTestGateways, testGateway } from '../on-the-wire/test-gateway.fixture.ts'
import { waysToAsk } from './ask.fixture.ts'

/** Questions whose answers are known are answered here, without a provider. */
function tableLayer(table: ReadonlyMap<string, string>): Layer {
  return {
    name: 'table',
    failure: 'open',
    handle: async (exchange, next) => {
      const asked = exchange.kind === 'messages' ? exchange.conversation.items.at(-1)?.text : undefined
      const text = asked === undefined ? undefined : table.get(asked)
      return text === undefined ? next(exchange) : answered(exchange, { text })
    },
  }
}

afterEach(closeTestGateways)

describe.each(waysToAsk)('a layer that answers from a table: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect
  const asking = (text: string) => ({ ...fixture.body(1), messages: [...fixture.body(1).messages, fixture.says(text)] })

  it('what the table knows never reaches the provider; all else does', async () => {
    const host = { layers: [tableLayer(new Map([['Who are you?', 'A "table",\nno more.']]))] }
    const gateway = await testGateway({ host, script: () => 'a model' })
    expect((await ask(gateway, asking('Who are you?'), stream)).text).toBe('A "table",\nno more.')
    expect(gateway.provider.requests).toEqual([])
    expect((await ask(gateway, asking('And you?'), stream)).text).toBe('a model')
    expect(gateway.log.filter(({ event }) => event === 'request').map(({ fields }) => fields['status'])).toEqual([
      200, 200,
    ])
  })

  it('where it fails the request goes on without it, as its receipt says', async () => {
    const table = new Map<string, string>()
    table.get = () => {
      throw new Error('no table')
    }
    const gateway = await testGateway({ host: { layers: [tableLayer(table)] }, script: () => 'a model' })
    expect((await ask(gateway, asking('Who are you?'), stream)).text).toBe('a model')
    const { requestId } = gateway.log.find(({ event }) => event === 'request')!.fields
    await expect
      .poll(async () => (await gateway.store.read('receipts').get('default', String(requestId)))?.result)
      .toMatchObject({ skipped: ['table'] })
  })
})

describe('a layer that answers from a table keeps the contract', () => {
  it.each(layerContract({ open: () => tableLayer(new Map()) }))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})
