import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, describe, expect, it } from 'vitest'
import { codecFor } from '../codecs/index.ts'
import { manualClock, simulatedProvider } from '../providers/index.ts'
import type { ScriptEntry } from '../providers/index.ts'
import { memoryStore, sqliteStore } from '../stores/index.ts'
import { openSession } from './in-process/open-session.ts'
import { belonging, noteKept } from './kept-replies.ts'
import { resultOf } from './session.fixture.ts'
import { verifyReceipt } from './verify-receipt.ts'
import { compileAgain } from './compilers.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-kept-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Asked = OpenAI.Responses.ResponseCreateParamsNonStreaming

const read = { type: 'function' as const, name: 'read', parameters: { type: 'object' }, strict: false }

function asked(results: number): Asked {
  const steps = Array.from({ length: results }, (_, index): OpenAI.Responses.ResponseInputItem[] => [
    { type: 'function_call', call_id: `call_${index}`, name: 'read', arguments: `{"path":"f${index}"}` },
    { type: 'function_call_output', call_id: `call_${index}`, output: resultOf(index) },
  ])
  return { model: 'gpt-5.1', tools: [read], input: [{ role: 'user', content: 'Find it.' }, ...steps.flat()] }
}

function handleIn(body: string): string | undefined {
  return /rehydrate\(\\+"([\w-]+)/.exec(body)?.[1]
}

describe.each([
  { name: 'memory', open: () => memoryStore() },
  { name: 'sqlite', open: () => sqliteStore({ path: join(folder, 'kept.db') }) },
])('a reply that the provider keeps, with its session in $name', ({ open }) => {
  it('is gone on from after a restart: what was asked of us is answered, and what was left out is found', async () => {
    const clock = manualClock(Date.UTC(2026, 10, 21))
    let handle: string | undefined
    const script = ({ body }: { readonly body: string }): ScriptEntry => {
      const fetches = { type: 'tool-call' as const, name: 'rehydrate', arguments: { handle: handle ?? '' } }
      if (body.includes('"And?"')) return body.includes('module-0') ? 'done' : { parts: [fetches] }
      const seen = handle ?? handleIn(body)
      if (seen === undefined || body.includes('previous_response_id')) return 'not yet'
      handle = seen
      return {
        parts: [
          { type: 'tool-call', name: 'read', arguments: {} },
          { ...fetches, arguments: { handle } },
        ],
      }
    }
    const provider = simulatedProvider({ script, clock })
    const { responses } = new OpenAI({ baseURL: 'http://s/v1', apiKey: 'k', maxRetries: 0, fetch: provider.fetch })
    const store = open()
    const send = (request: Asked): Promise<OpenAI.Responses.Response> =>
      openSession({ store, clock: () => clock.now(), policy: 'thrifty', record: 'content' }).send(request, (body) =>
        responses.create(body),
      )
    await send(asked(7))
    await clock.advance(3_600_000)
    const first = await send(asked(8))
    expect(first.output.map((item) => item.type === 'function_call' && item.name)).toEqual(['read'])
    const [called] = first.output
    const call_id = called?.type === 'function_call' ? called.call_id : ''
    const output = { type: 'function_call_output' as const, call_id, output: 'text' }
    const on = { model: 'gpt-5.1', tools: [read] }
    const second = await send({ ...on, previous_response_id: first.id, input: [output] })
    expect(second.output_text).toBe('not yet')
    const third = await send({ ...on, previous_response_id: second.id, input: 'And?' })
    expect(third.output_text).toBe('done')
    expect(provider.requests.at(-1)?.body).toContain('module-0')
    const [receipt] = await store.read('receipts').list('default', { limit: 1 })
    expect(receipt?.result).toMatchObject({ status: 200, rehydrations: 1 })
    expect(await store.read('results').sessions('default', { limit: 9 })).toHaveLength(1)
    for (const { requestId } of await store.read('receipts').list('default', { limit: 9 })) {
      const filed = await store.read('receipts').get('default', requestId)
      const input = filed?.input
      if (!filed || !input) throw new Error('nothing was recorded')
      const verified = verifyReceipt({ receipt: filed, input, compile: (again) => compileAgain(again, filed.manifest) })
      expect(verified.differences).toEqual([])
    }
    await store.close()
  })
})

describe('belonging', () => {
  const { decode } = codecFor('openai-responses')
  const going = (id: string) => decode({ body: `{"model":"m","previous_response_id":"${id}","input":"And?"}` })

  it('nobody goes on in a session of another tenant, nor in one that is not known', async () => {
    const store = memoryStore()
    const scope = { tenant: 'one', session: 's', lane: 'l' }
    await store.commit({ scope, nowMs: 0, writes: noteKept(scope, ['resp_1', 'resp_2']) })
    const session = async (tenant: string, id: string): Promise<string> =>
      (await belonging(store, tenant, going(id))).scope.session
    expect(await session('one', 'resp_1')).toBe('s')
    expect(await session('one', 'resp_2')).toBe('s')
    expect(await session('one', 'resp_3')).not.toBe('s')
    expect(await session('other', 'resp_1')).not.toBe('s')
  })

  it('what goes on from different replies has lanes of its own, whatever it says', async () => {
    const lane = async (id: string): Promise<string | undefined> =>
      (await belonging(memoryStore(), 'one', going(id))).scope.lane
    expect(await lane('resp_1')).not.toBe(await lane('resp_2'))
    expect(await lane('resp_1')).toBe(await lane('resp_1'))
  })
})
