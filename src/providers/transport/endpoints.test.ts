import { expect, it } from 'vitest'
import { compatibleServers, providerAddress, spokenBy } from './endpoints.ts'

it.each([
  ['https://api.openai.com/v1', 'openai-chat', '/v1/chat/completions', 'https://api.openai.com/v1/chat/completions'],
  [
    'https://openrouter.ai/api/v1/',
    'openai-chat',
    '/v1/chat/completions',
    'https://openrouter.ai/api/v1/chat/completions',
  ],
  [
    'https://g.example/v1beta/openai',
    'openai-chat',
    '/v1/chat/completions',
    'https://g.example/v1beta/openai/chat/completions',
  ],
  [
    'https://proxy.example/openai',
    'openai-responses',
    '/v1/responses?x=1',
    'https://proxy.example/openai/responses?x=1',
  ],
  [
    'https://api.z.ai/api/paas/v4',
    'openai-chat',
    '/v1/chat/completions',
    'https://api.z.ai/api/paas/v4/chat/completions',
  ],
  [
    'https://dashscope-intl.aliyuncs.com/apps/anthropic',
    'anthropic-messages',
    '/v1/messages',
    'https://dashscope-intl.aliyuncs.com/apps/anthropic/v1/messages',
  ],
  ['http://localhost:11434', 'openai-chat', '/v1/models', 'http://localhost:11434/v1/models'],
  [
    'https://api.anthropic.com',
    'anthropic-messages',
    '/v1/messages?beta=true',
    'https://api.anthropic.com/v1/messages?beta=true',
  ],
  ['https://api.anthropic.com/v1', 'anthropic-messages', '/v1/messages', 'https://api.anthropic.com/v1/messages'],
  [
    'https://api.deepseek.com/anthropic',
    'anthropic-messages',
    '/v1/messages',
    'https://api.deepseek.com/anthropic/v1/messages',
  ],
] as const)('%s', (baseUrl, dialect, path, url) => {
  const { origin, pathOf } = providerAddress(baseUrl, dialect)
  expect(origin + pathOf(path)).toBe(url)
})

it('refuses what is not a web address', () => {
  expect(() => providerAddress('api.openai.com', 'openai-chat')).toThrow(/baseUrl/)
  expect(() => providerAddress('file:///etc', 'openai-chat')).toThrow(/baseUrl/)
})

it('knows what is spoken by name, and where', () => {
  const urls = (name: string, settings = {}) =>
    spokenBy(name, settings).map(({ dialect, baseUrl }) => `${dialect} ${baseUrl}`)
  expect(urls('deepseek')).toEqual([
    'openai-chat https://api.deepseek.com/v1',
    'anthropic-messages https://api.deepseek.com/anthropic',
  ])
  expect(urls('xai')).toEqual(['openai-chat https://api.x.ai/v1', 'openai-responses https://api.x.ai/v1'])
  expect(urls('lmstudio').at(-1)).toBe('anthropic-messages http://127.0.0.1:1234')
  const own = 'http://proxy.example/v1'
  // An address of one's own is that of the main dialect, and of those at the same place.
  expect(urls('deepseek', { baseUrl: own })).toEqual([`openai-chat ${own}`])
  expect(urls('openai', { baseUrl: own })).toEqual([`openai-chat ${own}`, `openai-responses ${own}`])
  expect(urls('deepseek', { dialect: 'anthropic-messages' })).toEqual([
    'anthropic-messages https://api.deepseek.com/anthropic',
  ])
  expect(urls('mybox', { baseUrl: own })).toEqual([`openai-chat ${own}`])
  expect(urls('mybox', { baseUrl: own, dialect: ['gemini', 'openai-chat'] })).toEqual([
    `gemini ${own}`,
    `openai-chat ${own}`,
  ])
  expect(urls('mybox')).toEqual([])
})

it('every server that is known by name has an address of its own for each dialect', () => {
  const urls = Object.entries(compatibleServers).flatMap(([name, spoken]) =>
    Object.values(spoken).map((url) => ({ name, url: new URL(url ?? '') })),
  )
  for (const { url } of urls) {
    const isLocal = url.hostname === '127.0.0.1'
    expect(url.protocol).toBe(isLocal ? 'http:' : 'https:')
    expect(url.href.endsWith('/') && url.pathname !== '/').toBe(false)
  }
  const hosts = new Map(urls.map(({ url, name }) => [url.host, name]))
  expect(new Set(hosts.values())).toEqual(new Set(Object.keys(compatibleServers)))
})
