// 120 tools of an MCP server behind a gateway: the model is sent four small definitions, finds the tool it needs, and the client sees none of it.
import { join } from 'node:path'
import { memoryStore } from 'prehend'
import { openGateway, parseConfig } from 'prehend/gateway'
import { simulatedProvider } from 'prehend/testing'

// The model: it searches, calls what it has found, and answers.
const provider = simulatedProvider({
  script: ({ body }) => {
    if (body.includes('count_payroll for 2026-10: 17')) return 'Payroll had 17 open cases in October.'
    const call = (name: string, given: object) => ({ toolCalls: [{ name, arguments: given as never }] })
    if (body.includes('count_payroll(')) return call('execute_tool', { toolName: 'count_payroll', params: { month: '2026-10' } })
    return call('search_tools', { query: 'number of open cases in payroll' })
  },
})
const server = await provider.listen()
const gateway = await openGateway(
  parseConfig({
    port: 0,
    upstreams: { openai: { baseUrl: server.url, apiKey: 'any' } },
    tools: { sources: { office: { command: process.execPath, args: [join(import.meta.dirname, 'server.mjs')] } } },
  }),
  { store: memoryStore() },
)

const list = (await (await fetch(`${gateway.url}/v1/tools?limit=200`)).json()) as { readonly data: readonly unknown[] }
console.log(`tools of the registry: ${list.data.length}`)

const response = await fetch(`${gateway.url}/v1/chat/completions`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'How many payroll cases were open in October 2026?' }] }),
})
const { choices } = (await response.json()) as { readonly choices: readonly { readonly message: { readonly content: string } }[] }
console.log(choices[0]?.message.content)

const sent = provider.requests.map(({ body }) => JSON.parse(body) as { readonly tools?: readonly { readonly function: { readonly name: string } }[] })
console.log(`requests to the model: ${sent.length}, tools in each: ${sent[0]?.tools?.map((tool) => tool.function.name).join(', ')}`)
await gateway.close()
await server.close()
