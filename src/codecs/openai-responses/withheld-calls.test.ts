import { expect, it } from 'vitest'
import { codecFor } from '../index.ts'

const codec = codecFor('openai-responses')
const call = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'patch', input: '[folded]' }
const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Go.' }] }
const body = JSON.stringify({ id: 'resp_1', status: 'completed', output: [message, call] })

it('a call of a tool that takes a text can be kept from the client, and is answered as one', () => {
  const reply = codec.decodeReply(body)
  const names = new Set(['rehydrate', 'patch'])
  const { mustContinue, hiddenCalls } = codec.endOf(reply, names)
  expect([mustContinue, hiddenCalls.map(({ id }) => id)]).toEqual([true, ['call_1']])
  const results = [{ callId: 'call_1', text: 'not run' }]
  const messages = codec.hiddenMessages({ reply, results }).map((each) => JSON.parse(each) as object)
  expect(messages.at(-1)).toEqual({ type: 'custom_tool_call_output', call_id: 'call_1', output: 'not run' })
  expect(JSON.parse(codec.mergeReplies([body], names))).toMatchObject({ output: [{ type: 'message' }] })
  expect(codec.mergeReplies([body], names)).not.toContain('patch')
})

it('a call of a shell or a screen cannot', () => {
  const shell = { type: 'local_shell_call', id: 'lsh_1', call_id: 'call_2', action: { command: ['echo', '[folded]'] } }
  const reply = codec.decodeReply(JSON.stringify({ id: 'resp_1', status: 'completed', output: [call, shell] }))
  const names = new Set(reply.toolCalls.map(({ name }) => name))
  expect([names.size, codec.endOf(reply, names).mustContinue]).toEqual([2, false])
})
