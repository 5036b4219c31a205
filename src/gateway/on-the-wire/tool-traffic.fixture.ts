const schema = { type: 'object', properties: { path: { type: 'string', description: 'Where it lies.' } } }

/** Tools of an agent: three of its own, and others of a server. */
export function definedTools(count: number): readonly object[] {
  const own = ['read', 'write', 'deploy'].map((name) => ({
    name,
    description: `It can ${name}.`,
    input_schema: schema,
  }))
  const others = Array.from({ length: count - own.length }, (_, at) => ({
    name: `mcp__files__tool_${at}`,
    description: `Does the thing number ${at} with a file, and says what has changed.`,
    input_schema: schema,
  }))
  return [...own, ...others]
}

const round = (id: string, name: string, result: object): readonly object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name, input: { path: 'a.txt' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...result }] },
]

const messages = [
  { role: 'user', content: 'Find the timetable of the ferries and write it down.' },
  ...round('toolu_1', 'read', { content: 'The ferry leaves at nine. '.repeat(30) }),
  ...round('toolu_2', 'write', { content: 'The disk is full.', is_error: true }),
]

const body = (shown: number) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  system: 'You are careful.',
  tools: definedTools(3),
  messages: messages.slice(0, shown),
})

/** One conversation: nothing is called; `read` is; `write` is, and fails. */
export const toolTraffic = [body(1), body(3), body(5)]
