import { afterEach, describe, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { DialectFixture } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const states = ['open', 'closed', 'void']
const rows = Array.from(
  { length: 900 },
  (_, at) => `${7000 + at},customer ${at % 37},${states[at % 3]},${at},left at the door of house ${at % 97},EU`,
)
const table = ['order,customer,state,price,note,region', ...rows].join('\n')
const question = 'What became of order 7617?'

const asked: readonly { readonly fixture: DialectFixture; readonly messages: readonly unknown[] }[] = [
  {
    fixture: anthropicFixture,
    messages: [
      { role: 'user', content: 'Read the orders.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'orders' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: table }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'x' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_2', content: 'No more orders.' }] },
      { role: 'assistant', content: 'I have read them.' },
      { role: 'user', content: question },
    ],
  },
  {
    fixture: openaiFixture,
    messages: [
      { role: 'user', content: 'Read the orders.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"orders"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: table },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c2', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } }],
      },
      { role: 'tool', tool_call_id: 'c2', content: 'No more orders.' },
      { role: 'assistant', content: 'I have read them.' },
      { role: 'user', content: question },
    ],
  },
]

/** A request with its texts as a reader has them. */
function readable(body: string): string {
  return body.replaceAll(String.raw`\"`, '"').replaceAll(String.raw`\n`, '\n')
}

describe.each(asked)('P-091: a table that the window has no room for, $fixture.name', ({ fixture, messages }) => {
  it.each(['careful', 'thrifty'])(
    'is shown by the rows that the user asks for and by figures of all, %s',
    async (extended) => {
      const policy = { extends: extended, id: 'small', version: '1.0.0', contextTokens: 9_000 }
      const gateway = await testGateway({ config: { policy }, script: () => 'It was paid.' })
      const response = await post(gateway, fixture, { ...fixture.body(0), messages })
      expect(response.status).toBe(200)
      await response.text()
      const sent = readable(gateway.provider.requests[0]?.body ?? '')
      expect(sent).toMatch(/\[Table: \d+ of 900 rows, \d of 6 columns\] rehydrate\("\d{12}"\)/)
      expect(sent).toContain('state: closed 300, open 300, void 300')
      expect(sent).toContain('price: 0 to 899, sum 404550, mean 449.5')
      expect(sent).toMatch(/^7617,/m)
      expect(sent).not.toContain('\n7619,customer 27,closed,619,left at the door of house 37,EU\n7620,')
    },
  )
})
