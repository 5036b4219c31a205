import { afterEach, expect, it } from 'vitest'
import { citationsOf } from '../../codecs/index.ts'
import { evidence } from '../../core/index.ts'
import type { Item, Provenance } from '../../core/index.ts'
import { fetchUpstream } from '../../providers/index.ts'
import type { Upstream } from '../../providers/index.ts'
import type { Source } from '../index.ts'
import {
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
  unmarkedMessages,
} from '../on-the-wire/test-gateway.fixture.ts'
import type { Body, TestGateway } from '../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)

const entryOf = (number: number): Item => {
  const provenance: Provenance = {
    sourceId: 'notes',
    uri: `notes://team/insight/${number}`,
    title: `[INSIGHT] note ${number}`,
  }
  return evidence(`Fact ${number} holds.`, provenance, { id: `note-${number}`, citable: true })
}

const notes = (count: number): Source => ({
  id: 'notes',
  collect: async () => Array.from({ length: count }, (_, index) => entryOf(index + 1)),
})

interface Block {
  readonly type: string
  readonly source: string
}

/** Answers with a citation of the third result that it was sent. */
function citing(asked: string[]): Upstream {
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    asked.push(String(init?.body))
    const citations = resultsIn(asked.at(-1)!)
      .slice(2, 3)
      .map(({ source }) => ({
        type: 'search_result_location',
        cited_text: 'Fact 3 holds.',
        source,
        title: '[INSIGHT] note 3',
        search_result_index: 2,
        start_block_index: 0,
        end_block_index: 1,
      }))
    const content = [{ type: 'text', text: 'It holds.', citations }]
    const usage = { input_tokens: 1000, output_tokens: 5 }
    const told = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' }
    return Response.json({ ...told, content, usage })
  }
  return fetchUpstream({ name: 'citing', origin: 'http://citing', fetch })
}

function resultsIn(body: string): readonly Block[] {
  const { messages } = JSON.parse(body) as { messages: { content: unknown }[] }
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Block[]) : []))
  return blocks.filter(({ type }) => type === 'search_result')
}

async function sentFor(gateway: TestGateway, body: Body, fixture = anthropicFixture): Promise<string> {
  await (await post(gateway, fixture, body)).text()
  return gateway.provider.requests.at(-1)!.body
}

it('V-071: where the provider can cite, entries are sent as search results, and citations lead back to them', async () => {
  const asked: string[] = []
  const gateway = await testGateway({ host: { sources: [notes(3)] }, upstream: citing(asked) })
  const reply = await (await post(gateway, anthropicFixture, anthropicFixture.body(1))).text()
  expect(resultsIn(asked[0]!)[0]).toMatchObject({
    type: 'search_result',
    source: 'notes://team/insight/1',
    title: '[INSIGHT] note 1',
    content: [{ type: 'text', text: 'Fact 1 holds.' }],
    citations: { enabled: true },
  })
  const [citation] = citationsOf({ dialect: 'anthropic-messages', body: reply })
  const [summary] = await gateway.store.read('receipts').list('default', { limit: 1 })
  const { input } = (await gateway.store.read('receipts').get('default', summary!.requestId))!
  const cited = input!.items.find(({ provenance }) => provenance?.uri === citation!.source)
  expect(cited).toMatchObject({ kind: 'evidence', text: 'Fact 3 holds.', provenance: { title: '[INSIGHT] note 3' } })
})

it('V-071: up to ten of them in a turn; the rest is evidence in plain words', async () => {
  const gateway = await testGateway({ host: { sources: [notes(13)] } })
  const body = await sentFor(gateway, anthropicFixture.body(1))
  expect(resultsIn(body)).toHaveLength(10)
  for (const number of [11, 12, 13]) expect(body).toContain(`Fact ${number} holds.`)
})

it('they stand in later requests where they stood, and are not sent again', async () => {
  const gateway = await testGateway({ host: { sources: [notes(2)] }, script: () => 'Yes.' })
  const first = await sentFor(gateway, anthropicFixture.body(1))
  await gateway.clock.advance(1000)
  const asking = anthropicFixture.body(1)
  asking.messages.push({ role: 'assistant', content: 'Yes.' }, anthropicFixture.says('Sure?'))
  const second = await sentFor(gateway, asking)
  const before = unmarkedMessages(first)
  expect(unmarkedMessages(second).slice(0, before.length)).toEqual(before)
  expect(resultsIn(second)).toHaveLength(2)
})

it('is plain evidence where the provider takes no citations: another dialect, a reply of a given form, results that are not cited', async () => {
  const openai = await testGateway({ host: { sources: [notes(2)] } })
  const chat = await sentFor(openai, openaiFixture.body(1), openaiFixture)
  expect(chat).toContain('Fact 2 holds.')
  expect(chat).not.toContain('search_result')

  const gateway = await testGateway({ host: { sources: [notes(2)] } })
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  const formatted = await sentFor(
    gateway,
    anthropicFixture.body(1, { output_config: { format: { type: 'json_schema', schema } } }),
  )
  expect(formatted).toContain('Fact 2 holds.')
  expect(resultsIn(formatted)).toEqual([])

  const own = { type: 'search_result', source: 'a', title: 'A', content: [{ type: 'text', text: 'Own.' }] }
  const asking = anthropicFixture.body(1)
  asking.messages.push({ role: 'assistant', content: 'Yes.' }, { role: 'user', content: [own] })
  const mixed = await sentFor(gateway, asking)
  expect(mixed).toContain('Fact 2 holds.')
  expect(resultsIn(mixed)).toHaveLength(1)
})
