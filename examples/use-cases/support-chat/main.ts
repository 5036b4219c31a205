// A support conversation of forty questions, each answered after a look-up. Old look-ups become handles; originals come back, and what was sent is proven.
import { memoryStore } from 'prehend'
import { openGateway, parseConfig } from 'prehend/gateway'
import { simulatedProvider } from 'prehend/testing'
import { look, orders } from './orders.ts'

const provider = simulatedProvider({ strict: false })
const server = await provider.listen()
const upstreams = { anthropic: { baseUrl: server.url, apiKey: 'any' } }
const gateway = await openGateway(parseConfig({ port: 0, upstreams, policy: 'thrifty' }), { store: memoryStore() })
const session = 'customer-4711'

async function call<Answer>(path: string, body?: object): Promise<readonly [Answer, Headers]> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': session },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return [(await response.json()) as Answer, response.headers]
}

const tools = [
  {
    name: 'look_up_order',
    description: 'Looks an order up.',
    input_schema: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
  },
]
const messages: object[] = []
let requestId = ''
for (const [index, order] of orders.entries()) {
  const id = `call_${index}`
  messages.push(
    { role: 'user', content: `What about order ${order}?` },
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look_up_order', input: { order } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: look(order) }] },
  )
  const body = { model: 'claude-sonnet-5', max_tokens: 500, tools, messages }
  const [reply, headers] = await call<{ readonly content: object }>('/v1/messages', body)
  messages.push({ role: 'assistant', content: reply.content })
  requestId = headers.get('x-prehend-request-id') ?? ''
}

interface Item {
  readonly rung: string
  readonly text: string | null
  readonly handle: string | null
}
const [{ items }] = await call<{ readonly items: readonly Item[] }>(`/v1/packs/${requestId}/view`)
const short = items.filter(({ handle }) => handle !== null)
console.log(`${orders.length} questions; in the last request ${short.length} items stand shorter, each with a handle`)

const [first] = short
const [original] = await call<{ readonly text: string }>(`/v1/sessions/${session}/rehydrate`, { handle: first?.handle })
console.log(`handle of the first: ${original.text === look(orders[0] ?? '') ? 'its original, whole' : 'another text'}`)

const [proof] = await call<{ readonly verified: boolean }>(`/v1/packs/${requestId}/verify`, {})
console.log(`verified: ${proof.verified}`)
await gateway.close()
await server.close()
