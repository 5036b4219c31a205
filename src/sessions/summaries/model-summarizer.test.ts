import { describe, expect, it } from 'vitest'
import type { Conversation, ModelReply, SummaryTurn } from '../../core/index.ts'
import { modelSummarizer } from './model-summarizer.ts'

const count = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length

const turns: readonly SummaryTurn[] = [
  {
    turn: 1,
    role: 'user',
    text: 'We want to choose a database for the shop, and soon. Never use one that needs a licence.',
  },
  {
    turn: 1,
    role: 'assistant',
    text: 'There are several. PostgreSQL is free and does all that you have asked for so far.',
  },
]

const options = { targetTokens: 100, count, key: 'abcdef0123' }

const summarized = (reply: Partial<ModelReply>, seen: Conversation[] = []) =>
  modelSummarizer({
    model: 'small',
    ask: async (conversation) => {
      seen.push(conversation)
      return { text: 'They look for a free database.', toolCalls: [], stopReason: 'stop', ...reply }
    },
  }).summarize(turns, options)

describe('a summary by a model', () => {
  it('has what the model wrote, and what binds word for word (C-017, A-010)', async () => {
    expect(await summarized({})).toEqual({
      prose: 'They look for a free database.',
      lines: [{ turn: 1, role: 'user', text: 'Never use one that needs a licence.', mark: 'must hold' }],
      tables: [],
    })
  })

  it('may put two words together that its turns have apart', async () => {
    const prose = 'They look for a free database and/or a shop.'
    expect((await summarized({ text: prose })).prose).toBe(prose)
  })

  it('is asked for at temperature 0 with a seed of its key, and the same of the same (P-029)', async () => {
    const seen: Conversation[] = []
    await summarized({}, seen)
    await summarized({}, seen)
    expect(seen[0]).toEqual(seen[1])
    expect(seen[0]?.sampling).toEqual({ temperature: 0, seed: 0xabcdef0 })
    expect(seen[0]?.items.at(-1)?.text).toContain('[turn 1, user]\nWe want to choose')
  })

  it.each<[string, Partial<ModelReply>]>([
    ['was cut off', { stopReason: 'length' }],
    ['was cut off by Anthropic', { stopReason: 'max_tokens' }],
    ['was refused', { stopReason: 'refusal' }],
    ['broke off', { failure: { type: 'truncated', message: '' } }],
    ['is empty', { text: ' \n' }],
    ['names a file that nobody has named', { text: 'They settled on src/database.ts for all.' }],
    ['names a number that nobody has named', { text: 'PostgreSQL 16000 is free.' }],
    ['is longer than its turns', { text: 'word '.repeat(200) }],
  ])('that %s is none', async (_, reply) => {
    await expect(summarized(reply)).rejects.toThrow(/^The summary /)
  })
})
