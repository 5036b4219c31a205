import { describe, expect, it } from 'vitest'
import { dialectTable, dialects } from '../../codecs/index.ts'
import { careful, createCompiler } from '../../compiler/index.ts'
import { ownRoutes } from '../api/routes/index.ts'
import { providerRoute } from './routes.ts'
import { terse, tooBig } from './terse-dialect.fixture.ts'

const of = (method: string, url: string, headers: Record<string, string> = {}): unknown => {
  const route = providerRoute({ method, url, headers })
  return route && [route.kind, route.codec.dialect]
}

describe('the routes that a provider answers', () => {
  it.each([
    ['POST', '/v1/chat/completions', ['messages', 'openai-chat']],
    ['POST', '/v1/messages?beta=true', ['messages', 'anthropic-messages']],
    ['POST', '/v1/messages/count_tokens', ['count-tokens', 'anthropic-messages']],
    ['GET', '/v1/models', ['plain', 'openai-chat']],
    ['GET', '/v1/models/gpt-5', ['plain', 'openai-chat']],
    ['GET', '/v1/chat/completions', ['forward', 'openai-chat']],
    ['GET', '/v1/models/a/b', ['forward', 'openai-chat']],
    ['POST', '/v1/messages/batches', ['forward', 'anthropic-messages']],
    ['POST', '/v1beta/models/gemini-3-pro:generateContent', ['messages', 'gemini']],
    ['POST', '/v1/models/gemini-3-pro:streamGenerateContent?alt=sse', ['messages', 'gemini']],
    ['POST', '/models/gemini-3-pro:generateContent', ['messages', 'gemini']],
    ['POST', '/v1beta/models/gemini-3-pro:countTokens', ['count-tokens', 'gemini']],
    ['POST', '/v1beta/models/gemini-embedding-001:embedContent', ['plain', 'gemini']],
    ['GET', '/v1beta/models', ['plain', 'gemini']],
    ['POST', '/v1beta/cachedContents', ['plain', 'gemini']],
    ['DELETE', '/v1beta/cachedContents/abc', ['forward', 'gemini']],
    ['DELETE', '/v1/models/ft:gpt-5:me', ['forward', 'openai-chat']],
    ['POST', '/v1/compile', undefined],
    ['DELETE', '/v1/packs/a', undefined],
    ['POST', '/v1/v1/compile', undefined],
    ['GET', '/v1', undefined],
    ['GET', '/inspector/sessions/..%252F..%252Fetc', undefined],
    ['GET', '/v1/sessions/..%2F..%2Fetc/timeline', undefined],
    ['GET', '/models', ['plain', 'openai-chat']],
  ])('%s %s', (method, url, expected) => {
    expect(of(method, url)).toEqual(expected)
  })

  it('are none of those that we state ourselves, whatever the method', () => {
    for (const { path } of ownRoutes)
      for (const method of ['GET', 'POST', 'DELETE', 'PUT'])
        expect([path, of(method, path.replaceAll(/\{\w+\}/g, 'x'))]).toEqual([path, undefined])
  })

  it('have no way round a route of ours', () => {
    for (const url of ['/v1/sessions/../chat/completions', '/inspector/../v1/chat/completions', '/v1/files/..%2fadmin'])
      expect(() => of('GET', url)).toThrow('climbs out')
  })

  it('are told apart by a header where two dialects share one', () => {
    expect(of('GET', '/v1/models', { 'anthropic-version': '2023-06-01' })).toEqual(['plain', 'anthropic-messages'])
  })
})

describe('a dialect of somebody else, in one file', () => {
  const table = dialectTable([dialects.for('openai-chat'), ...dialects.codecs.slice(1), terse])
  const body = '{ "lines": ["go", "mail jane@example.org"] }'

  it('has its route, with the model in the path', () => {
    const route = providerRoute({ method: 'POST', url: '/terse/small-1?x=1', headers: {} }, table)
    expect(route).toMatchObject({ kind: 'messages', codec: { dialect: 'terse' } })
    expect(terse.decode({ path: '/terse/small-1', body }).conversation.model).toBe('small-1')
  })

  it('is detected by path and by body, and has its errors', () => {
    expect(table.detect({ path: '/terse/small-1' })).toBe('terse')
    expect(table.detect({ body: JSON.parse(body) })).toBe('terse')
    expect(table.detect({ body: { messages: [] } })).toBe('openai-chat')
    expect(table.for('terse').encodeError(tooBig, 'r')).toBe('{"no":"too big"}')
    expect(table.names).toEqual([...dialects.names, 'terse'])
  })

  it('is compiled and encoded', () => {
    const codec = table.for('terse')
    const exchange = codec.decode({ path: '/terse/m', body })
    const { items } = exchange.conversation
    const tokenizer = { id: 'characters', count: (text: string): number => text.length }
    const compiler = createCompiler({ tokenizer, hash: (text) => `${text.length}` })
    const masked = items.map((item) => ({ ...item, text: item.text.replace('jane@example.org', '[EMAIL_1]') }))
    const { pack } = compiler.compile({
      items: masked,
      layout: 'messages',
      policy: careful,
      budget: { windowTokens: 999 },
    })
    expect(pack && codec.encode(exchange, { pack })).toBe('{"lines":["go","mail [EMAIL_1]"]}')
    expect(codec.encode(exchange, {})).toBe(body)
  })
})
