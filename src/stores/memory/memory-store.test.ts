import { expect, it } from 'vitest'
import type { Manifest } from '../../core/index.ts'
import { memoryStore } from './memory-store.ts'

it('the oldest receipts lose the bodies of their requests when newer ones need the room', async () => {
  const store = memoryStore({ maxBodyChars: 100 })
  const scope = { tenant: 'acme', session: 's' }
  for (const [index, requestId] of ['a', 'b', 'c'].entries()) {
    const request = { body: requestId.repeat(40), overlay: [], breakpoints: [], tools: [] }
    const head = { requestId, packId: requestId, dialect: 'openai-chat', mode: 'on' } as const
    await store.commit({
      scope,
      nowMs: index,
      writes: [{ table: 'receipts', receipt: { ...head, manifest: {} as Manifest, request } }],
    })
  }
  const bodies = await Promise.all(
    ['a', 'b', 'c'].map(async (id) => (await store.read('receipts').get('acme', id))?.request?.body),
  )
  expect(bodies).toEqual([undefined, 'b'.repeat(40), 'c'.repeat(40)])
})

it('what later rounds of a request have said counts with its body, and goes with it', async () => {
  const store = memoryStore({ maxBodyChars: 100 })
  const scope = { tenant: 'acme', session: 's' }
  const rounds = [{ hash: 'h', messages: ['m'.repeat(50)] }]
  const result = { status: 200, rehydrations: 1, rounds, upstreamMs: 1, overheadMs: 1 }
  for (const [index, requestId] of ['a', 'b'].entries()) {
    const request = { body: requestId.repeat(20), overlay: [], breakpoints: [], tools: [] }
    const head = { requestId, packId: requestId, dialect: 'openai-chat', mode: 'on' } as const
    await store.commit({
      scope,
      nowMs: index,
      writes: [{ table: 'receipts', receipt: { ...head, manifest: {} as Manifest, request } }],
    })
  }
  for (const requestId of ['b', 'a'])
    await store.commit({ scope, nowMs: 3, writes: [{ table: 'results', of: { requestId, result } }] })
  const [a, b] = await Promise.all(['a', 'b'].map((id) => store.read('receipts').get('acme', id)))
  expect([a?.request, a?.result?.rounds]).toEqual([undefined, [{ hash: 'h' }]])
  expect([b?.request?.body, b?.result?.rounds]).toEqual(['b'.repeat(20), rounds])
})
