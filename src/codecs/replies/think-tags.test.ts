import { describe, expect, it } from 'vitest'
import type { ReplyEvent } from '../../core/index.ts'
import { codecFor } from '../index.ts'
import { saidReply } from './said-reply.ts'

const { replyReader } = codecFor('openai-chat')

function read(pieces: readonly string[], end = 'stop'): readonly ReplyEvent[] {
  const chunks = pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] }))
  const last = { choices: [{ index: 0, delta: {}, finish_reason: end }] }
  const said: ReplyEvent[] = []
  let state = replyReader.initial
  for (const data of [...[...chunks, last].map((chunk) => JSON.stringify(chunk)), '[DONE]']) {
    const step = replyReader.step(state, { data })
    state = step.state
    said.push(...step.events)
  }
  return said
}

const whole = '<think>is 2 < 3?\n</thin> yes</think>\n\nIt is. <think> is a tag.'

describe('reasoning between tags', () => {
  it('is told from the answer, wherever the stream is cut', () => {
    for (let first = 0; first <= whole.length; first += 1)
      for (let second = first; second <= whole.length; second += 7) {
        const said = saidReply(read([whole.slice(0, first), whole.slice(first, second), whole.slice(second)]))
        expect([said.reasoning, said.text]).toEqual(['is 2 < 3?\n</thin> yes', 'It is. <think> is a tag.'])
      }
  })

  it('that is never closed is reasoning to the end', () => {
    const said = saidReply(read(['<think>so', ' far</thi'], 'length'))
    expect([said.reasoning, said.text, said.reason]).toEqual(['so far</thi', '', 'length'])
  })

  it('is looked for at the beginning only', () => {
    for (const text of ['a <think>b</think>', '<thin', '< think>x', ' \n'])
      expect(saidReply(read([text.slice(0, 3), text.slice(3)])).text).toBe(text)
  })

  it('is found in whole replies too', () => {
    const message = { role: 'assistant', content: whole }
    const said = saidReply(replyReader.whole(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] })))
    expect([said.reasoning, said.text]).toEqual(['is 2 < 3?\n</thin> yes', 'It is. <think> is a tag.'])
  })
})
