import { expect, it } from 'vitest'
import { compile } from '../../sessions/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { recordedRequests } from './recorded-requests.ts'

it('a session is replayed by the requests that were read, and not by those that nobody could', async () => {
  const store = memoryStore()
  const { manifest } = compile({ items: [], layout: 'messages', budget: { windowTokens: 1_500 } })
  const request = { path: '/v1/chat/completions', body: '{"messages": [', overlay: [], breakpoints: [], tools: [] }
  const filed = { packId: 'p', dialect: 'openai-chat', manifest, request } as const
  const scope = { tenant: 'default', session: 's' }
  for (const [nowMs, mode] of (['on', 'unpacked', 'observe'] as const).entries())
    await store.commit({ scope, nowMs, writes: [{ table: 'receipts', receipt: { ...filed, requestId: mode, mode } }] })
  const found = await Array.fromAsync(recordedRequests(store, 'default', 's'))
  expect(found.map((one) => one?.requestId)).toEqual(['on', 'observe'])
})
