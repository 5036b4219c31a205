// A coding agent that reads files, through a gateway: it changes one base URL, and the gateway packs what it sends.
import { memoryStore } from 'prehend'
import { openGateway, parseConfig } from 'prehend/gateway'
import { simulatedProvider } from 'prehend/testing'
import { files, readFile } from './project.ts'

// The model: it reads every file, then answers. In real life this is Anthropic, and the gateway has your key.
const provider = simulatedProvider({
  script: (_, turn) => {
    const path = files[turn]
    if (path === undefined) return 'The timeout is read before the configuration: see src/module-07.ts.'
    return { text: `I read ${path}.`, toolCalls: [{ name: 'read_file', arguments: { path } }] }
  },
  strict: false,
})
const server = await provider.listen()
const upstreams = { anthropic: { baseUrl: server.url, apiKey: 'any' } }
const gateway = await openGateway(parseConfig({ port: 0, upstreams }), { store: memoryStore() })

interface Block {
  readonly type: string
  readonly id?: string
  readonly text?: string
  readonly input?: { readonly path: string }
}

// The agent. It knows nothing of Prehend but this address.
const tools = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
]
const messages: object[] = [{ role: 'user', content: 'Why does the timeout have no effect?' }]
let requests = 0
for (;;) {
  const response = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': 'fix-timeout' },
    body: JSON.stringify({ model: 'claude-sonnet-5', max_tokens: 1000, tools, messages }),
  })
  requests += 1
  const { content } = (await response.json()) as { readonly content: readonly Block[] }
  messages.push({ role: 'assistant', content })
  const calls = content.filter(({ type }) => type === 'tool_use')
  if (calls.length === 0) {
    console.log(content.map(({ text = '' }) => text).join(''))
    break
  }
  const results = calls.map(({ id, input }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: readFile(input?.path ?? ''),
  }))
  messages.push({ role: 'user', content: results })
}

interface Session {
  readonly cost: { readonly usd: number; readonly clientUsd: number; readonly passThroughUsd: number }
}
const { cost } = (await (await fetch(`${gateway.url}/v1/sessions/fix-timeout`)).json()) as Session
// Tokens of handles differ a little from run to run, so shares are rounded down to tens.
const share = (usd: number): string => `${10 * Math.floor((10 * usd) / cost.clientUsd)}%`
const [saved, byMarks] = [cost.clientUsd - cost.usd, cost.clientUsd - cost.passThroughUsd]
console.log(`${requests} requests; the agent's own requests would have cost $${cost.clientUsd.toFixed(2)}`)
console.log(`saved more than ${share(saved)}, more than ${share(byMarks)} by cache marks`)
await gateway.close()
await server.close()
