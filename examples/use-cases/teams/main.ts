// Two teams behind one gateway: keys, allowed models, a rate limit, and data that the other team cannot see.
import { memoryStore } from 'prehend'
import { openGateway, parseConfig } from 'prehend/gateway'

const operator = 'change-this-operator-token'
// Without a provider's key the simulated model answers.
const gateway = await openGateway(
  parseConfig({
    port: 0,
    tokens: [{ token: operator, tenant: 'platform', name: 'ops', scopes: ['operator'] }],
    tenants: {
      web: { budgets: { usdPerDay: 20, outputTokens: 4000 } },
      data: { policy: 'careful', allowedModels: ['gpt-5*'], budgets: { usdPerDay: 5, outputTokens: 4000 } },
    },
  }),
  { store: memoryStore() },
)

interface Answer {
  readonly status: number
  readonly budgetLeft: string | null
  readonly body: { readonly secret?: string; readonly error?: { readonly message: string }; readonly data?: readonly unknown[] }
}

async function ask(path: string, key: string | undefined, body?: object): Promise<Answer> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const json = (await response.json()) as Answer['body']
  return { status: response.status, budgetLeft: response.headers.get('x-prehend-budget-left'), body: json }
}

async function keyFor(tenant: string, more: object = {}): Promise<string> {
  const { body } = await ask('/v1/keys', operator, { name: `${tenant} agents`, tenant, scopes: ['inference', 'read'], ...more })
  if (body.secret === undefined) throw new Error(body.error?.message)
  return body.secret
}

const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hello' }] })
const web = await keyFor('web')
const data = await keyFor('data', { budgets: { requestsPerDay: 2 } })

const show = (what: string, { status, budgetLeft, body }: Answer): void =>
  console.log(`${what}: ${status} ${body.error?.message.split('. ')[0]?.replace(/"key_.+?"/, 'KEY') ?? `budget left ${budgetLeft}`}`)

show('without a key', await ask('/v1/chat/completions', undefined, chat('gpt-5.1')))
show('web, gpt-4o', await ask('/v1/chat/completions', web, chat('gpt-4o')))
show('data, gpt-4o', await ask('/v1/chat/completions', data, chat('gpt-4o')))
for (const time of ['first', 'second', 'third'])
  show(`data, gpt-5.1, ${time}`, await ask('/v1/chat/completions', data, chat('gpt-5.1')))

const seenBy = async (key: string): Promise<number> => ((await ask('/v1/packs', key)).body.data ?? []).length
console.log(`requests that web sees: ${await seenBy(web)}, that data sees: ${await seenBy(data)}`)
await gateway.close()
