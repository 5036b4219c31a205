import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const page = readFileSync(new URL('../../../docs/policies/briefs.md', import.meta.url), 'utf8')
const [, line = ''] = /^```json\n(\{.*"id": "chat".*\})\n```$/m.exec(page) ?? []
const chat = JSON.parse(line) as Record<string, unknown>

const parameters = { type: 'object', properties: { order: { type: 'string' } } }
const tools = [{ type: 'function', function: { name: 'look_up', description: 'Looks an order up.', parameters } }]
const reply = (turn: number): string =>
  `Reply ${turn}: order A${turn} is on its way. ${Array.from({ length: 40 }, (_, at) => `Depot ${turn + at} has parcel ${(turn * 31 + at * 7) % 997}.`).join(' ')}`
const found = (turn: number): string =>
  Array.from({ length: 30 }, (_, at) => `2026-10-${at} order A${turn} parcel ${(turn * 17 + at * 3) % 911}`).join('\n')

/** A chat that looks up each answer, and how many of its replies its last request shows whole. */
async function repliesKept(policy: string, turns: number): Promise<number> {
  const gateway = await testGateway({ config: { policy, policies: [chat] } })
  const messages: object[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const made = { id: `c${turn}`, type: 'function', function: { name: 'look_up', arguments: `{"order":"A${turn}"}` } }
    messages.push(
      { role: 'user', content: `What about order A${turn}?` },
      { role: 'assistant', content: null, tool_calls: [made] },
      { role: 'tool', tool_call_id: `c${turn}`, content: found(turn) },
    )
    const headers = { 'content-type': 'application/json', 'authorization': 'Bearer k', 'x-session-id': 'chat' }
    const body = JSON.stringify({ model: 'gpt-4o', tools, messages })
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(await answer.text()).toContain('chat.completion')
    messages.push({ role: 'assistant', content: reply(turn) })
  }
  const sent = gateway.provider.requests.at(-1)?.body ?? ''
  return Array.from({ length: turns - 1 }, (_, turn) => reply(turn)).filter((text) => sent.includes(text)).length
}

describe('old replies of the assistant in a chat with tools', () => {
  it.each(['careful', 'balanced', 'thrifty'])('are shortened by %s', async (policy) => {
    expect(await repliesKept(policy, 50)).toBeLessThan(25)
  })

  it('stay by the policy that docs/policies/briefs.md names', async () => {
    expect(await repliesKept('chat', 80)).toBe(79)
  })
})
