import { afterEach, expect, it } from 'vitest'
import type { CompileResult } from '../../core/index.ts'
import { closeTestGateways, testGateway } from '../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)

const facts = (name: string): string =>
  Array.from({ length: 40 }, (_, at) => `${name} ${at} was written down on a quiet day by the clerk.`).join('\n')

/** A payload from which evidence is left out, compiled by a gateway. */
async function leavingOut() {
  const gateway = await testGateway()
  const items = ['first', 'second', 'vault'].map((name) => ({
    id: name,
    section: 'evidence',
    kind: 'evidence',
    text: name === 'vault' ? `${facts(name)}\nThe vault opens with 7716.` : facts(name),
    provenance: { sourceId: name },
    scores: { relevance: name === 'vault' ? 0.1 : 0.9 },
  }))
  const document = {
    schema: 'prehend.compile/1',
    policy: { extends: 'careful', id: 'dropping', version: '1.0.0', relief: ['drop-evidence'] },
    budget: { windowTokens: 1_700 },
    frame: { request: 'What opens it?' },
    rehydration: true,
    items,
  }
  const post = (path: string, body: object, session = 's1'): Promise<Response> =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-id': session },
      body: JSON.stringify(body),
    })
  const result = (await (await post('/v1/compile', document)).json()) as CompileResult & { requestId: string }
  const ask = async (asked: object, session = 's1') => {
    const response = await post(`/v1/sessions/${session}/rehydrate`, asked)
    return { status: response.status, ...((await response.json()) as { text: string; fetched: object[] }) }
  }
  return { result, ask }
}

it('N-37, P-046: what a payload leaves out comes back by the handle of its list, its own, and its topic', async () => {
  const { result, ask } = await leavingOut()
  const text = result.pack?.messages.at(-1)?.text ?? ''
  const [, list = ''] = /more not shown: rehydrate\("(\d{12})"\)/.exec(text) ?? []
  const listed = await ask({ handle: list })
  expect([listed.status, listed.text]).toEqual([200, expect.stringContaining('] vault, ')])
  const handle = /^\[(\d{12})\] vault,/m.exec(listed.text)?.[1]
  const whole = await ask({ handle })
  expect(whole.text).toContain('The vault opens with 7716.')
  expect(whole.fetched).toEqual([
    { handle, leftOut: { itemId: 'vault', rung: 'omitted', reason: 'pressure', requestId: result.requestId } },
  ])
  expect((await ask({ about: 'vault opens' })).text).toContain('7716')
})

it('V-025: brings nothing back into another session, and says what is wrong with a question', async () => {
  const { result, ask } = await leavingOut()
  const { handle } = result.manifest.decisions.find(({ rung }) => rung === 'omitted') ?? {}
  expect(await ask({ handle }, 's2')).toMatchObject({ status: 404, fetched: [] })
  expect(await ask({ about: 'vault' }, 's2')).toMatchObject({ status: 404, fetched: [] })
  expect(await ask({})).toMatchObject({ status: 400, error: { param: 'handle' } })
  expect(await ask({ handles: [handle] })).toMatchObject({ status: 400, error: { param: 'body.handles' } })
})
