import Anthropic from '@anthropic-ai/sdk'

const schema = { type: 'object', properties: { path: { type: 'string', description: 'Where it lies.' } } } as const

function toolsOf(count: number): Anthropic.Tool[] {
  const names = ['read', 'write', ...Array.from({ length: count - 2 }, (_, at) => `mcp__files__tool_${at}`)]
  return names.map((name) => ({ name, description: `Does what ${name} says with a file.`, input_schema: schema }))
}

const round = (id: string, name: string, content: string, isError: boolean): Anthropic.MessageParam[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name, input: { path: 'a.txt' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
]

const messages: Anthropic.MessageParam[] = [
  { role: 'user', content: 'Write the timetable of the ferries down.' },
  ...round('toolu_1', 'read', 'The ferry leaves at nine. '.repeat(30), false),
  ...round('toolu_2', 'write', 'The disk is full.', true),
]

/** An agent that sends so many tools, calls two of them, and fails with the second, with the official SDK. */
export async function toolRun(url: string, { tools, session }: { tools: number; session: string }): Promise<void> {
  const client = new Anthropic({ baseURL: url, apiKey: 'any', defaultHeaders: { 'x-session-id': session } })
  for (const shown of [1, 3, 5])
    await client.messages.create({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      tools: toolsOf(tools),
      messages: messages.slice(0, shown),
    })
}
