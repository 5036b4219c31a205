import { afterEach, describe, expect, it } from 'vitest'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
} from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

interface Side {
  readonly policy: string
  readonly isRecorded: boolean
  readonly same: boolean | null
  readonly asItCame: boolean
  readonly packTokens: number
  readonly originalTokens: number
  readonly bill: {
    readonly tokens: number
    readonly cachedTokens: number
    readonly cost: number
    readonly usd: number | null
  }
  readonly soFar: Side['bill']
}

interface Shown {
  readonly rung: string
  readonly tokens: number
  readonly handle: string | null
  readonly text: string | null
}

interface Comparison {
  readonly whyNot: string | null
  readonly requests: number
  readonly rules: string | null
  readonly sides: readonly [Side, Side]
  readonly counts: { readonly items: number; readonly otherwise: number }
  readonly items: readonly {
    readonly itemId: string
    readonly original: string
    readonly isSame: boolean
    readonly shown: readonly [Shown, Shown]
  }[]
  readonly next: string | null
  readonly error?: { readonly param: string; readonly message: string }
}

/** A session that grows, and that comes back after the cache is cold. */
async function send(gateway: TestGateway, session = 'one'): Promise<void> {
  for (const results of [5, 6, 7, 8, 9]) {
    await (await post(gateway, anthropicFixture, anthropicFixture.body(results), { 'x-session-id': session })).text()
    await gateway.clock.advance(results === 7 ? anHourMs : 1000)
  }
}

async function packs(gateway: TestGateway, session = 'one'): Promise<readonly { requestId: string }[]> {
  const answer = await fetch(`${gateway.url}/v1/packs?session=${session}`)
  return ((await answer.json()) as { data: { requestId: string }[] }).data
}

async function compared(gateway: TestGateway, query: string, at = 0, session = 'one'): Promise<Comparison> {
  const id = (await packs(gateway, session))[at]?.requestId
  return (await (await fetch(`${gateway.url}/v1/packs/${id}/comparison?${query}`)).json()) as Comparison
}

describe('one request under two policies', () => {
  it('shows what the other policy would have sent, to the byte, had it been in force since the session began', async () => {
    const [careful, thrifty] = [
      await testGateway({ script: () => 'done', config: { policy: 'careful' } }),
      await testGateway({ script: () => 'done', config: { policy: 'thrifty' } }),
    ]
    await Promise.all([send(careful), send(thrifty)])
    const { sides, items, requests, rules, whyNot } = await compared(careful, 'policy=thrifty&limit=1000')
    expect([whyNot, requests, rules]).toEqual([null, 5, 'claude-sonnet-4-6'])
    expect(sides.map(({ policy, isRecorded, same }) => [policy, isRecorded, same])).toEqual([
      ['careful', true, true],
      ['thrifty', false, null],
    ])
    const [last] = await packs(thrifty)
    const view = (await (await fetch(`${thrifty.url}/v1/packs/${last?.requestId}/view`)).json()) as {
      items: { itemId: string; text: string; rung: string; tokens: number }[]
    }
    const really = new Map(view.items.map((item) => [item.itemId, item]))
    // Handles are of each gateway's own key.
    const withoutHandles = (text: string): string => text.replaceAll(/\d{12}/g, 'HANDLE')
    for (const { itemId, original, shown } of items) {
      const own = really.get(itemId)
      expect([itemId, shown[1].rung]).toEqual([itemId, own?.rung])
      expect(withoutHandles(shown[1].text ?? original)).toBe(withoutHandles(own?.text ?? ''))
    }
    expect(items.filter(({ shown }) => shown[1].text !== null).length).toBeGreaterThan(0)
    expect(sides[1].packTokens).toBeLessThan(sides[0].packTokens)
    expect(sides[1].soFar.cost).not.toBe(sides[0].soFar.cost)
  })

  it('tells what is shown otherwise first, and page by page what it tells in one', async () => {
    const gateway = await testGateway({ script: () => 'done', config: { policy: 'careful' } })
    await send(gateway)
    const whole = await compared(gateway, 'policy=thrifty&limit=1000')
    const { items, counts } = whole
    expect(counts.items).toBe(items.length)
    expect(counts.otherwise).toBeGreaterThan(0)
    expect(items.slice(0, counts.otherwise).every(({ isSame }) => !isSame)).toBe(true)
    expect(items.slice(counts.otherwise).every(({ isSame }) => isSame)).toBe(true)
    const otherwise = await compared(gateway, 'policy=thrifty&only=otherwise&limit=1000')
    expect(otherwise.items).toEqual(items.slice(0, counts.otherwise))
    const pages: Comparison['items'][number][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Comparison = await compared(gateway, `policy=thrifty&limit=2${cursor && `&cursor=${cursor}`}`)
      pages.push(...page.items)
      cursor = page.next
    }
    expect(pages).toEqual(items)
  })

  it('compared with its own policy nothing is otherwise, and everything costs the same', async () => {
    const gateway = await testGateway({ script: () => 'done', config: { policy: 'thrifty' } })
    await send(gateway)
    const { sides, counts } = await compared(gateway, 'policy=thrifty')
    expect(counts.otherwise).toBe(0)
    expect(sides[1].bill).toEqual(sides[0].bill)
    expect(sides[1].soFar).toEqual(sides[0].soFar)
    expect(sides[0].same).toBe(true)
  })

  it('two others can be compared; sums are those of all requests so far', async () => {
    const gateway = await testGateway({ script: () => 'done', config: { policy: 'thrifty' } })
    await send(gateway)
    const { sides } = await compared(gateway, 'policy=thrifty&against=careful')
    expect(sides.map(({ policy, isRecorded }) => [policy, isRecorded])).toEqual([
      ['careful', false],
      ['thrifty', false],
    ])
    let sum = 0
    for (const at of [0, 1, 2, 3, 4]) sum += (await compared(gateway, 'policy=careful', at)).sides[1].bill.cost
    expect(sides[0].soFar.cost).toBeCloseTo(sum, 6)
  })

  it('from this request on: what was decided before it stands, and is rewritten only where that is worth it', async () => {
    const gateway = await testGateway({ script: () => 'done', config: { policy: 'careful' } })
    await send(gateway)
    const { requests, sides } = await compared(gateway, 'policy=thrifty&from=request')
    expect(requests).toBe(2)
    expect(sides[0].same).toBe(true)
    expect(sides[0].bill.cachedTokens).toBeGreaterThan(0)
    const first = await compared(gateway, 'policy=thrifty&from=request', 4)
    expect(first.requests).toBe(1)
  })

  it('of a compile by itself, the two packs', async () => {
    const gateway = await testGateway()
    const text = 'A long remark about the release. '.repeat(40)
    const items = [{ id: 'a', kind: 'evidence', section: 'evidence', text, provenance: { sourceId: 's' } }]
    const document = { schema: 'prehend.compile/1', items, model: 'gpt-5.1', frame: { request: 'What?' } }
    await (await post(gateway, { ...openaiFixture, path: '/v1/compile' }, document)).text()
    const { requests, sides, counts } = await compared(gateway, 'policy=careful', 0, 'compile')
    expect([requests, counts.items, sides[0].same]).toEqual([1, 1, true])
  })

  it('says why where content is not recorded, and who may not see it finds nothing', async () => {
    const tokens = ['acme', 'umbrella'].map((tenant) => ({ token: `token-of-${tenant}`, tenant }))
    const gateway = await testGateway({ script: () => 'done', config: { record: 'receipts', tokens } })
    const acme = { authorization: 'Bearer token-of-acme' }
    await (await post(gateway, { ...openaiFixture, headers: acme }, openaiFixture.body(2))).text()
    const get = (path: string, tenant: string): Promise<Response> =>
      fetch(gateway.url + path, { headers: { authorization: `Bearer token-of-${tenant}` } })
    const { data } = (await (await get('/v1/packs', 'acme')).json()) as { data: { requestId: string }[] }
    const path = `/v1/packs/${data[0]?.requestId}/comparison?policy=careful`
    const { whyNot, items } = (await (await get(path, 'acme')).json()) as Comparison
    expect([whyNot, items]).toEqual([expect.stringContaining('not recorded'), []])
    expect((await get(path, 'umbrella')).status).toBe(404)
  })

  it.each([
    ['policy=nobody', 'policy'],
    ['policy=rpl_0123:B', 'policy'],
    ['policy=thrifty&against=nobody', 'against'],
    ['policy=thrifty&from=yesterday', 'from'],
    ['', 'policy'],
  ])('%s is refused, naming %s', async (query, field) => {
    const gateway = await testGateway({ script: () => 'done' })
    await send(gateway)
    expect((await compared(gateway, query)).error?.param).toBe(field)
  })
})
