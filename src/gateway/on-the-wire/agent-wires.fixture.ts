import type { DialectFixture, TestGateway } from './test-gateway.fixture.ts'

/* An agent of one tool that looks for a failure, in every dialect. */

export const names = { chat: 'gpt-5.1', messages: 'claude-sonnet-4-6', gemini: 'gemini-2.5-pro' } as const

/** Steps of an agent: what it says, what it calls, what comes back. */
export interface Step {
  readonly says?: string
  readonly call: string
  readonly result: string
}

export const log = (lines: number): string =>
  Array.from({ length: lines }, (_, at) =>
    at === Math.floor(lines / 2)
      ? 'Error: connection to db-7 refused after 30000 ms'
      : `2026-11-21T10:00:00 INFO worker ${at % 7} handled request ${at * 31} in ${(at * 13) % 97} ms`,
  ).join('\n')

export const steps = (count: number, lines = 12): readonly Step[] =>
  Array.from({ length: count }, (_, at) => ({
    ...(at % 3 === 0 && { says: `I look at part ${at} now, since the last one had nothing of what I am looking for.` }),
    call: `part-${at}`,
    result: log(lines + (at % 5)),
  }))

export interface Wire extends Pick<DialectFixture, 'name' | 'path' | 'headers'> {
  body(steps: readonly Step[], hasTools?: boolean): object
}

export const wires: readonly Wire[] = [
  {
    name: 'openai-chat',
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer key' },
    body: (made, hasTools = true) => ({
      model: names.chat,
      max_completion_tokens: 100,
      ...(hasTools && { tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }] }),
      messages: [
        { role: 'system', content: 'You are an agent.' },
        { role: 'user', content: 'Find why the worker fails.' },
        ...made.flatMap(({ says = null, call, result }) => [
          {
            role: 'assistant',
            content: says,
            tool_calls: [{ id: call, type: 'function', function: { name: 'read', arguments: `{"path":"${call}"}` } }],
          },
          { role: 'tool', tool_call_id: call, content: result },
        ]),
      ],
    }),
  },
  {
    name: 'anthropic-messages',
    path: '/v1/messages',
    headers: { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
    body: (made, hasTools = true) => ({
      model: names.messages,
      max_tokens: 100,
      ...(hasTools && { tools: [{ name: 'read', input_schema: { type: 'object' } }] }),
      system: 'You are an agent.',
      messages: [
        { role: 'user', content: 'Find why the worker fails.' },
        ...made.flatMap(({ says, call, result }) => [
          {
            role: 'assistant',
            content: [
              ...(says === undefined ? [] : [{ type: 'text', text: says }]),
              { type: 'tool_use', id: call, name: 'read', input: { path: call } },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: result }] },
        ]),
      ],
    }),
  },
  {
    name: 'openai-responses',
    path: '/v1/responses',
    headers: { authorization: 'Bearer key' },
    body: (made, hasTools = true) => ({
      model: names.chat,
      max_output_tokens: 100,
      store: false,
      ...(hasTools && { tools: [{ type: 'function', name: 'read', parameters: { type: 'object' }, strict: false }] }),
      instructions: 'You are an agent.',
      input: [
        { role: 'user', content: 'Find why the worker fails.' },
        ...made.flatMap(({ says, call, result }) => [
          ...(says === undefined ? [] : [{ role: 'assistant', content: says }]),
          { type: 'function_call', call_id: call, name: 'read', arguments: `{"path":"${call}"}` },
          { type: 'function_call_output', call_id: call, output: result },
        ]),
      ],
    }),
  },
  {
    name: 'gemini',
    path: `/v1beta/models/${names.gemini}:generateContent`,
    headers: { 'x-goog-api-key': 'key' },
    body: (made, hasTools = true) => ({
      generationConfig: { maxOutputTokens: 100 },
      ...(hasTools && { tools: [{ functionDeclarations: [{ name: 'read', description: 'Reads.' }] }] }),
      systemInstruction: { parts: [{ text: 'You are an agent.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Find why the worker fails.' }] },
        ...made.flatMap(({ says, call, result }) => [
          {
            role: 'model',
            parts: [
              ...(says === undefined ? [] : [{ text: says }]),
              { functionCall: { name: 'read', args: { path: call } } },
            ],
          },
          { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: result } } }] },
        ]),
      ],
    }),
  },
]

/** Sends a request, and returns what came back and what the provider got. */
export async function sentBy(gateway: TestGateway, wire: Wire, body: object) {
  const headers = { 'content-type': 'application/json', ...wire.headers }
  const response = await fetch(gateway.url + wire.path, { method: 'POST', headers, body: JSON.stringify(body) })
  const said = await response.text()
  const outcome = response.headers.get('x-prehend-outcome')
  // Absent where all went well.
  return { status: response.status, outcome: outcome ?? 'ok', said, sent: gateway.provider.requests.at(-1)?.body ?? '' }
}
