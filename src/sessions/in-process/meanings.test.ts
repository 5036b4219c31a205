import { describe, expect, it } from 'vitest'
import { careful } from '../../compiler/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { openSession } from './open-session.ts'

const names = [...Array.from({ length: 30 }, (_, at) => `mcp__desk__task_${at}`), 'mcp__sky__outlook']
const tools = names.map((name) => ({
  name,
  description: name.endsWith('outlook') ? 'Tells drizzle of a place.' : 'Does a thing.',
  input_schema: { type: 'object', properties: {} },
}))
const asked = (content: string): object => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  tools,
  messages: [{ role: 'user', content }],
})
const namesIn = (request: object): readonly string[] =>
  (request as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name)
const policy = { ...careful, id: 'fit', tools: { selection: 'sticky' as const, deferred: false } }

function counting(more: { readonly model?: string } = {}) {
  const texts: string[] = []
  const embed = async (given: readonly string[]) => {
    texts.push(...given)
    return given.map((text) => [/umbrella|drizzle/i.test(text) ? 1 : 0, 0.01])
  }
  return { texts, embedder: { embed, ...more } }
}

const settled = () => new Promise((done) => void setTimeout(done, 20))

describe('G-025: a session in process with an embedder', () => {
  it('finds tools by what they mean, once they have vectors', async () => {
    const { texts, embedder } = counting()
    const pack = async (id: string) => {
      const packed = await openSession({ policy, embedder, store, id }).pack(asked('Do I want an umbrella?'))
      return namesIn(packed.request)
    }
    const store = memoryStore()
    const session = openSession({ policy, embedder, store })
    const begin = async (text: string, id: string) => {
      const packed = await session.pack(asked(text), { id })
      await settled()
      return namesIn(packed.request)
    }
    expect(await begin('Do I want an umbrella?', 'a')).not.toContain('mcp__sky__outlook')
    expect(await begin('Do I want an umbrella?', 'b')).toContain('mcp__sky__outlook')
    expect(texts).toHaveLength(names.length + 1)
    // An embedder without a name may be another one elsewhere: nothing of it is kept in the store.
    expect(await pack('c')).not.toContain('mcp__sky__outlook')
    await session.close()
  })

  it('keeps vectors of a named one in a store that keeps requests', async () => {
    const { texts, embedder } = counting({ model: 'tiny' })
    const store = memoryStore()
    for (const id of ['a', 'b']) {
      const session = openSession({ policy, embedder, store, id, record: 'content' })
      await session.pack(asked('Do I want an umbrella?'))
      await settled()
      await session.close()
    }
    expect(texts.filter((text) => text.includes('drizzle'))).toHaveLength(1)
  })

  it('goes by words where the embedder throws, and says so once', async () => {
    const failures: string[] = []
    const embedder = {
      embed: (): never => {
        throw new Error('none')
      },
    }
    const session = openSession({ policy, embedder, onFailure: (stage) => failures.push(stage) })
    for (const id of ['a', 'b']) {
      expect(namesIn((await session.pack(asked('Do task 7.'), { id })).request)).toContain('mcp__desk__task_7')
      await settled()
    }
    expect(failures).toEqual(['embeddings'])
    await session.close()
  })
})
