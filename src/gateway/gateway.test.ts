import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { simulatedProvider } from '../providers/index.ts'
import { memoryStore } from '../stores/index.ts'
import { fetchUpstream, openGateway, parseConfig } from './index.ts'

describe('gateway', () => {
  it('answers', async () => {
    const provider = simulatedProvider({ script: ['Hello there.'] })
    const upstream = fetchUpstream('sim', 'http://simulated', provider.fetch)
    const store = memoryStore()
    const gateway = await openGateway(parseConfig({ port: 0 }), {
      store,
      upstreams: { for: () => upstream, close: async () => undefined },
      logger: { info: console.log, warn: console.log, error: console.log },
    })
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'x', maxRetries: 0 })
    const { data, response } = await client.chat.completions
      .create({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hi' }] })
      .withResponse()
    console.log(data, [...response.headers])
    expect(data.choices[0]?.message.content).toBe('Hello there.')
    const s = await client.chat.completions.create({
      model: 'gpt-5.1',
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    for await (const c of s) console.log(JSON.stringify(c))
    console.log(await (await fetch(`${gateway.url}/v1/packs`)).text())
    console.log((await (await fetch(`${gateway.url}/metrics`)).text()).split('\n').filter((l) => /prehend_(req|tok|epo)/.test(l)).join('\n'))
    await gateway.close()
  })
})
