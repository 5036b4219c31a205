import { afterEach, describe, expect, it } from 'vitest'
import type { Item } from '../../../core/index.ts'
import type { Layer } from '../../exchange/layer.ts'
import type { OpenGatewayParts } from '../../index.ts'
import type { CollectRequest, Source } from '../../../sessions/index.ts'
import { closeTestGateways, openaiFixture, post, testGateway } from '../../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)

const fact: Item = {
  id: 'fact',
  section: 'evidence',
  kind: 'evidence',
  text: 'It is so.',
  provenance: { sourceId: 'kb' },
}

const none: Source = { id: 'none', collect: async () => [] }
const answer = async () => ({ text: '', found: false })

function passing(name: string): Layer {
  return { name, failure: 'open', handle: (exchange, next) => next(exchange) }
}

describe('collect', () => {
  it('who is late, or rejects, is left out and named, and hears that nobody waits any more', async () => {
    let asked: CollectRequest | undefined
    const late: Source = {
      id: 'late',
      collect: (request) => {
        asked = request
        return new Promise(() => undefined)
      },
    }
    const broken: Source = { id: 'broken', collect: () => Promise.reject(new Error('no index')) }
    const config = { limits: { collectMs: 20 } }
    const gateway = await testGateway({ config, script: () => 'done', host: { sources: [late, broken] } })
    const response = await post(gateway, openaiFixture, openaiFixture.body(1))
    expect(response.status).toBe(200)
    expect(response.headers.get('x-prehend-skipped')).toBe('broken, late')
    expect(asked?.scope.tenant).toBe('default')
    expect(asked?.conversation.items.at(-1)?.kind).toBe('tool-result')
    expect(asked?.signal.aborted).toBe(true)
  })

  it('items have names of their source, and pass what layers before have rewritten', async () => {
    const seen: (readonly Item[])[] = []
    const masks: Layer = {
      name: 'masks',
      failure: 'closed',
      handle: (exchange, next) =>
        next({ ...exchange, rewrites: [...exchange.rewrites, (item) => ({ ...item, text: item.text.toUpperCase() })] }),
    }
    const looks: Layer = {
      name: 'looks',
      failure: 'open',
      handle: (exchange, next) => {
        seen.push(exchange.collected)
        return next({ ...exchange, collected: [] })
      },
    }
    const layers = [masks, { layer: looks, before: 'session' }]
    const source: Source = { id: 'kb', collect: async () => [fact] }
    const gateway = await testGateway({ script: () => 'done', host: { layers, sources: [source] } })
    expect((await post(gateway, openaiFixture, openaiFixture.body(1))).status).toBe(200)
    expect((await post(gateway, openaiFixture, openaiFixture.body(1, { prehend: { mode: 'off' } }))).status).toBe(200)
    expect(seen).toEqual([[{ ...fact, id: 'kb/fact', text: 'IT IS SO.', lasts: 'turn' }], []])
  })

  it('V-019: sources are told the strategy in force, are asked where it names them, and give no more than it takes', async () => {
    const asked: string[] = []
    const source = (id: string): Source => ({
      id,
      collect: async ({ strategy }) => {
        asked.push(`${id} ${strategy?.name} ${strategy?.followLinks ?? false}`)
        return [0.9, 0.8, 0.2, 0.7].map((relevance, at) => ({
          ...fact,
          id: `${at}`,
          text: `${id} says ${at} of it.`,
          scores: { relevance },
        }))
      },
    })
    const retrieval = {
      use: 'precise',
      strategies: {
        precise: { collections: ['wiki'], relevance: 0.5, maxItems: { wiki: 2 } },
        wide: { followLinks: true },
      },
    }
    const overrides = {
      taskClass: { review: { retrieval: { use: 'wide' } } },
      regime: { volatile: { retrieval: { maxItems: { tickets: 1 } } } },
    }
    const policy = { extends: 'careful', id: 'house', version: '1.0.0', retrieval, overrides }
    const host = { sources: [source('wiki'), source('tickets')] }
    const gateway = await testGateway({ config: { policy }, script: () => 'done', host })
    const searched = async (session: string, prehend: object) => {
      asked.length = 0
      await (await post(gateway, openaiFixture, openaiFixture.body(1, { prehend }), { 'x-session-id': session })).text()
      const [summary] = await gateway.store.read('receipts').list('default', { limit: 1 })
      const receipt = await gateway.store.read('receipts').get('default', summary!.requestId)
      const found = receipt!.manifest.decisions.map(({ itemId }) => itemId).filter((id) => /^(?:wiki|tickets)/.test(id))
      return { named: receipt!.manifest.retrieval, asked: [...asked], found }
    }
    expect(await searched('a', {})).toEqual({
      named: 'precise',
      asked: ['wiki precise false'],
      found: ['wiki/0', 'wiki/1'],
    })
    expect(await searched('b', { taskClass: 'review', regime: 'volatile' })).toEqual({
      named: 'wide',
      asked: ['wiki wide true', 'tickets wide true'],
      found: ['wiki/0', 'wiki/1', 'wiki/2', 'wiki/3', 'tickets/0'],
    })
  })

  it.each<[string, Pick<OpenGatewayParts, 'layers' | 'sources' | 'hiddenTools'>]>([
    ['layers', { layers: [passing('session')] }],
    ['layers', { layers: [passing('two words')] }],
    ['sources', { sources: [none, none] }],
    ['hiddenTools', { hiddenTools: [{ definition: { name: 'rehydrate', description: '', schema: {} }, answer }] }],
  ])('names tell one from another: %s', async (field, host) => {
    await expect(testGateway({ host })).rejects.toMatchObject({ code: 'invalid-input', data: { field } })
  })

  it('a layer that is to stand before one that is not there is refused at the start', async () => {
    const opening = testGateway({ host: { layers: [{ layer: passing('lost'), before: 'nobody' }] } })
    await expect(opening).rejects.toMatchObject({ code: 'invalid-input', data: { field: 'layers' } })
  })
})
