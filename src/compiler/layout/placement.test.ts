import { describe, expect, it } from 'vitest'
import { compile, evidence, input, itemOf, words } from '../compile-input.fixture.ts'

const messagesOf = (changes: Parameters<typeof input>[0]) => compile(input(changes)).pack?.messages ?? []
const positions = (text: string, parts: readonly string[]) => parts.map((part) => text.indexOf(part))
const rising = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other)

describe('what stands where', () => {
  it('G-058, B-08: the best evidence stands at both ends; a conversation keeps its order, whatever its scores', () => {
    const relevances = [0.9, 0.8, 0.7, 0.6, 0.5]
    const found = relevances.map((relevance, index) =>
      evidence(`e${index + 1}`, `Fact${index + 1}.`, { scores: { relevance } }),
    )
    const said = relevances.map((relevance, index) =>
      itemOf('history', `h${index + 1}`, `Said${index + 1}.`, {
        role: index % 2 === 0 ? 'user' : 'assistant',
        scores: { relevance: 1 - relevance },
      }),
    )
    const messages = messagesOf({ items: [...found, ...said] })
    const payload = messages.at(-1)?.text ?? ''
    const places = positions(payload, ['Fact1.', 'Fact4.', 'Fact5.', 'Fact3.', 'Fact2.'])
    expect(places).not.toContain(-1)
    expect(places).toEqual(rising(places))
    expect(messages.slice(1, -1).map(({ text }) => text.trim())).toEqual([
      'Said1.',
      'Said2.',
      'Said3.',
      'Said4.',
      'Said5.',
    ])
  })

  it('A-014: the contract of a pack stands in the system text, once, and not in the payload', () => {
    const [system, ...others] = messagesOf({ items: [evidence('e', 'A fact.')] }).map(({ text }) => text)
    const rules = [
      'Its STEP, CONSTRAINTS and ACCEPTANCE are binding',
      'name the URI it comes from. Never make up a source',
      'answer "unknown" and name the tool',
      'Call no tool that is not listed',
    ]
    for (const rule of rules) {
      expect(system?.split(rule)).toHaveLength(2)
      expect(others.join('\n')).not.toContain(rule)
    }
  })

  it('A-056, B-66: of a tool, the payload has the name and not the schema', () => {
    const text = JSON.stringify({ name: 'search', description: words(9, 'searches'), parameters: { type: 'object' } })
    const tool = itemOf('tools', 't', text, { kind: 'tool-schema', toolName: 'search' })
    const said = messagesOf({ items: [tool] }).map((message) => message.text)
    expect(said.at(-1)).toContain('TOOLS:\n- search\n')
    expect(said.join('\n')).not.toContain('searches0')
  })
})
