import { describe, expect, it } from 'vitest'
import type { OverlayPart } from '../../core/index.ts'
import { openaiResponses } from './index.ts'

const result = '{"type":"function_call_output","call_id":"ours","output":"text"}'
const turn = {
  visibleText: 'Let me look.',
  visibleCallIds: [],
  visibleBlocks: 1,
  assistantIndex: 0,
  rounds: [],
  calls: [],
}
const partOf = (replyIds: readonly string[], results: readonly string[] = []): OverlayPart => ({
  kind: 'hidden-turn',
  turn: { ...turn, replyIds, results },
})

describe('a body that goes on from what the provider keeps', () => {
  it.each([
    ['"input": "And?"', `"input": [${result},{"role":"user","content":"And?"}]`],
    ['"input": [ {"role":"user","content":"And?"}]', `"input": [ ${result},{"role":"user","content":"And?"}]`],
    ['"input": []', `"input": [${result}]`],
    ['"store": true', `"store": true,"input":[${result}]`],
  ])('names the last of several replies, and answers what is open: %s', (came, sent) => {
    const { body, placed, lost } = openaiResponses.restore(`{"model":"m", "previous_response_id": "resp_1", ${came}}`, [
      partOf(['resp_0']),
      partOf(['resp_1', 'resp_2'], [result]),
    ])
    expect(body).toBe(`{"model":"m", "previous_response_id": "resp_2", ${sent}}`)
    expect([placed.length, lost]).toEqual([1, []])
    const { conversation, wire } = openaiResponses.decode({ body })
    expect(wire).toMatchObject({ continues: 'resp_2', isKept: true })
    expect(conversation.items[0]).toMatchObject({ kind: 'tool-result', toolCallId: 'ours' })
  })

  it('stays as it came where nothing is open', () => {
    const body = '{"model":"m","previous_response_id":"resp_1","input":"And?","store":false}'
    expect(openaiResponses.restore(body, [partOf(['resp_1'])]).body).toBe(body)
    expect(openaiResponses.restore(body, [partOf(['resp_9'], [result])]).body).toBe(body)
    const { wire } = openaiResponses.decode({ body })
    expect([wire.continues, wire.isKept]).toEqual(['resp_1', undefined])
  })
})
