import { onlyUpstream, openGateway, parseConfig } from '../gateway/index.ts'
import type { Gateway, GatewayConfigInput, OpenGatewayParts } from '../gateway/index.ts'
import { fetchUpstream, manualClock, simulatedProvider } from '../providers/index.ts'
import type { ManualClock, SimulatedProvider } from '../providers/index.ts'
import type { Store } from '../stores/index.ts'

export interface SimulatedGateway {
  readonly gateway: Gateway
  readonly provider: SimulatedProvider
  readonly clock: ManualClock
}

/** A gateway with the simulated provider behind it. */
export async function simulatedGateway(
  store: Store,
  config: GatewayConfigInput = {},
  host: Pick<OpenGatewayParts, 'extensions' | 'hot' | 'blobs'> = {},
): Promise<SimulatedGateway> {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const provider = simulatedProvider({ script: () => 'done', clock })
  const headers = { authorization: 'Bearer key' }
  const upstream = fetchUpstream({ name: 'simulated', origin: 'http://simulated', fetch: provider.fetch, headers })
  const gateway = await openGateway(parseConfig({ port: 0, policy: 'thrifty', ...config }), {
    store,
    upstreams: onlyUpstream(upstream),
    clock: () => clock.now(),
    wait: (ms, signal) => clock.wait(ms, signal),
    ...host,
  })
  return { gateway, provider, clock }
}

/** What the tool call with a number has given. */
export function resultOf(number: number): string {
  return Array.from({ length: 400 }, (_, line) => `src/module-${number}/file-${line}.ts: value ${line * number}`).join(
    '\n',
  )
}

/** A conversation with so many long tool results. */
export function conversation(results: number): object {
  const rounds = Array.from({ length: results }, (_, at) => at + 1).flatMap((number) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: `call_${number}`, type: 'function', function: { name: 'read', arguments: `{"path":"f${number}"}` } },
      ],
    },
    { role: 'tool', tool_call_id: `call_${number}`, content: resultOf(number) },
  ])
  const parameters = { type: 'object', properties: { path: { type: 'string' } } }
  return {
    model: 'gpt-5.1',
    tools: [{ type: 'function', function: { name: 'read', description: 'Reads a file.', parameters } }],
    messages: [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'Find the value.' },
      ...rounds,
    ],
  }
}

/** Sends a conversation, and gives the status of the answer once all of it is there. */
export async function ask(
  { gateway }: Pick<SimulatedGateway, 'gateway'>,
  body: object,
  token = 'key',
): Promise<number> {
  const headers = { 'content-type': 'application/json', 'authorization': `Bearer ${token}` }
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  await answer.arrayBuffer()
  return answer.status
}
