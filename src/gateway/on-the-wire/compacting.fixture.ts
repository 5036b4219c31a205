import { longResult } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

export const task = 'Find the value of the seventh module. Never touch the lock file.'

/** An agent of the Anthropic API after so many results; the newest of them is not answered yet. */
export function agentBody(results: number, more: object = {}): object {
  const turns = Array.from({ length: results }, (_, step) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `toolu_${step}`, name: 'read', input: { path: `f${step}` } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${step}`, content: longResult(step, 60) }] },
  ])
  return {
    model: 'claude-sonnet-4-6',
    max_tokens: 500,
    system: 'You are an agent.',
    tools: [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }],
    messages: [{ role: 'user', content: task }, ...turns.flat()],
    ...more,
  }
}

export async function said(
  gateway: Pick<TestGateway, 'url'>,
  session: string,
  body: object,
  headers = {},
): Promise<Response> {
  const response = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'key',
      'anthropic-version': '2023-06-01',
      'x-session-id': session,
      ...headers,
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  await response.json()
  return response
}

/** Asks a route of ours. */
export async function route(
  gateway: Pick<TestGateway, 'url'>,
  path: string,
  { body, method = 'POST', headers = {} }: { body?: unknown; method?: string; headers?: Record<string, string> } = {},
): Promise<{ readonly status: number; readonly answer: Record<string, unknown> }> {
  const response = await fetch(gateway.url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
}
