import { afterEach, describe, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { DialectFixture } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const names = Array.from({ length: 8 }, (_, index) => `tool_${index}`)
const explained = (name: string): string =>
  Array.from({ length: 40 }, (_, index) => `${name} takes part ${index} of the path`).join(', ')

const details = Array.from({ length: 9 }, (_, index) => `- kind ${index}`)

function toolOf(name: string, dialect: DialectFixture): unknown {
  const schema = {
    type: 'object',
    properties: { path: { type: 'string', description: explained(name) } },
    required: ['path'],
  }
  const described = {
    name,
    description: [`Does ${name}.`, ...details.map((line) => `${' '.repeat(13)}${line}  `)].join('\n\n\n\n'),
  }
  return dialect.name === 'openai-chat'
    ? { type: 'function', function: { ...described, parameters: schema } }
    : { ...described, input_schema: schema }
}

interface Tool {
  readonly name: string
  readonly description: string
  readonly schema: { readonly properties: { readonly path: Record<string, unknown> } }
}

/** The tools that a provider was sent, ours left out, in one form for both dialects. */
function toolsIn(body: string): readonly Tool[] {
  const { tools } = JSON.parse(body) as { tools: Record<string, unknown>[] }
  return tools
    .map((tool) => (tool['function'] ?? tool) as Record<string, unknown>)
    .filter(({ name }) => name !== 'rehydrate')
    .map(
      ({ name, description, parameters, input_schema: schema = parameters }) => ({ name, description, schema }) as Tool,
    )
}

describe('definitions of tools', () => {
  it.each([openaiFixture, anthropicFixture])(
    'X-05, C-015, P-046: in $name they go out minified, then cut, those that were called last, and say how they come back',
    async (dialect) => {
      const policies = [
        { extends: 'careful', id: 'house', version: '1.0.0', contextTokens: 8_500, coreTools: ['tool_7'] },
      ]
      const gateway = await testGateway({ config: { policy: 'house', policies }, script: () => 'fine' })
      const tools = [...names.map((name) => toolOf(name, dialect)), toolOf('read', dialect)]
      const [first] = dialect.body(1, { tools }).messages
      const ask = async (messages: unknown[]): Promise<readonly Tool[]> => {
        const response = await post(gateway, dialect, { ...dialect.body(1, { tools }), messages })
        expect(response.status).toBe(200)
        await response.arrayBuffer()
        return toolsIn(gateway.provider.requests.at(-1)!.body)
      }
      const whole = await ask([first])
      expect(whole.map(({ description }) => description)).toEqual(
        [...names, 'read'].map((name) => [`Does ${name}.`, ...details].join('\n\n')),
      )
      expect(whole.every(({ schema }) => schema.properties.path['description'] !== undefined)).toBe(true)
      const long = Array.from({ length: 600 }, (_, index) => `line ${index} of what I say`).join('\n')
      const cut = await ask([first, { role: 'assistant', content: 'Tell me.' }, dialect.says(long)])
      const short = cut.filter(({ schema }) => schema.properties.path['description'] === undefined)
      expect(short.length).toBeGreaterThan(2)
      expect(short.map(({ name }) => name)).not.toContain('tool_7')
      for (const { description } of short)
        expect(description).toMatch(
          /^Does tool_\d\. - kind 0 .* - kind 8\n\[descriptions left out: rehydrate\("\d{12}"\)\]$/,
        )
      const [, handle = ''] = /rehydrate\("(\d+)"\)/.exec(short[0]!.description)!
      const original = await gateway.store.read('originals').get({ tenant: 'default' }, handle)
      expect(original?.text).toContain(explained(short[0]!.name))
    },
  )
})
