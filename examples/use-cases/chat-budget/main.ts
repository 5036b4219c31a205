// A chat with a daily budget: the gateway counts before it sends, and the chat says in plain words when the money is spent.
import { memoryStore } from 'prehend'
import { openGateway, parseConfig } from 'prehend/gateway'
import { simulatedProvider } from 'prehend/testing'

const provider = simulatedProvider({ script: (_, turn) => `Answer ${turn + 1}. ${'It depends on the weather. '.repeat(20)}` })
const server = await provider.listen()
const gateway = await openGateway(
  parseConfig({
    port: 0,
    upstreams: { openai: { baseUrl: server.url, apiKey: 'any' } },
    budgets: { usdPerDay: 0.014 },
  }),
  { store: memoryStore() },
)

interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: string
}
interface Reply {
  readonly choices?: readonly { readonly message: Message }[]
  readonly error?: { readonly message: string }
}

const messages: Message[] = []
for (const question of ['Shall I sail on Monday?', 'And on Tuesday?', 'On Wednesday?', 'On Thursday?', 'On Friday?']) {
  messages.push({ role: 'user', content: question })
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // Without a limit each request would reserve the longest answer that the model can write.
    body: JSON.stringify({ model: 'gpt-5.1', max_completion_tokens: 1000, messages }),
  })
  const { choices = [], error } = (await response.json()) as Reply
  const [first] = choices
  if (response.status === 429) {
    console.log(`${question} -> ${response.status}: ${error?.message.split('. ')[0]}.`)
    break
  }
  if (first === undefined) throw new Error(`${response.status}: ${error?.message}`)
  messages.push(first.message)
  console.log(`${question} -> ${first.message.content.slice(0, 9)} (left: ${response.headers.get('x-prehend-budget-left')})`)
}
await gateway.close()
await server.close()
