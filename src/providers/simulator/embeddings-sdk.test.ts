import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { simulatedProvider } from './simulated-provider.ts'
import type { SimulatedProviderOptions } from './simulated-provider.ts'

const small = 'text-embedding-3-small'

function clientOf(options: SimulatedProviderOptions = {}) {
  const provider = simulatedProvider(options)
  return { provider, client: new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: provider.fetch }) }
}

async function vectors(input: string | string[] | number[] | number[][], more: object = {}) {
  const { data } = await clientOf().client.embeddings.create({ model: small, input, ...more })
  return data.map(({ embedding }) => embedding)
}

const nearness = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

describe('embeddings', () => {
  it('are unit vectors, the same for the same text, in the order asked for', async () => {
    const [one = [], other = [], again = []] = await vectors([
      'A parcel is late',
      'Refunds take a week',
      'A parcel is late',
    ])
    expect([one.length, other.length]).toEqual([1536, 1536])
    expect(nearness(one, one)).toBeCloseTo(1, 5)
    expect(again).toEqual(one)
    expect(other).not.toEqual(one)
  })

  it('have the dimensions that are asked for, or those of the model', async () => {
    const [short = []] = await vectors('A parcel', { dimensions: 256 })
    expect(short).toHaveLength(256)
    expect(nearness(short, short)).toBeCloseTo(1, 5)
    const { client } = clientOf()
    const large = await client.embeddings.create({ model: 'text-embedding-3-large', input: 'A parcel' })
    expect(large.data[0]?.embedding).toHaveLength(3072)
  })

  it('say the same as floats and as base64, which the SDK asks for by default', async () => {
    const { client, provider } = clientOf()
    const coded = await client.embeddings.create({ model: small, input: 'A parcel' })
    const plain = await client.embeddings.create({ model: small, input: 'A parcel', encoding_format: 'float' })
    expect(provider.requests.map(({ json }) => json?.['encoding_format'])).toEqual(['base64', 'float'])
    expect(coded.data[0]?.embedding).toEqual(plain.data[0]?.embedding)
  })

  it('are nearer where texts share words, so that a search finds the passage', async () => {
    const passages = [
      'Shoes may be returned within 30 days if they are unworn and in their box.',
      'A parcel to Switzerland passes customs, and the recipient pays the duty.',
      'The warranty of a watch covers the movement and excludes the strap.',
      'Gift vouchers are valid for three years and cannot be exchanged for cash.',
    ]
    const questions = [
      'How many days do I have for returning shoes?',
      'Who pays customs for my parcel?',
      'Is the strap under warranty?',
      'Are vouchers valid for years?',
    ]
    const found = await vectors(passages)
    const asked = await vectors(questions)
    for (const [at, question] of asked.entries()) {
      const scores = found.map((passage) => nearness(question, passage))
      expect(scores.indexOf(Math.max(...scores))).toBe(at)
    }
  })

  it('take lists of tokens, one or several', async () => {
    const [one = []] = await vectors([3923, 374, 279])
    const [same = [], near = [], far = []] = await vectors([
      [3923, 374, 279],
      [3923, 374, 11],
      [500, 600, 700],
    ])
    expect(same).toEqual(one)
    expect(nearness(one, near)).toBeGreaterThan(nearness(one, far))
  })

  it('count the tokens of all inputs', async () => {
    const { client, provider } = clientOf()
    const { usage } = await client.embeddings.create({ model: small, input: ['one two three', 'one two three'] })
    expect(usage).toEqual({ prompt_tokens: 6, total_tokens: 6 })
    expect(provider.requests[0]).toMatchObject({ state: 'answered', usage: { inputTokens: 6, outputTokens: 0 } })
    const tokens = await client.embeddings.create({ model: small, input: [1, 2, 3, 4] })
    expect(tokens.usage.prompt_tokens).toBe(4)
  })

  const refusals: readonly (readonly [object, number, RegExp])[] = [
    [{ input: '' }, 400, /'input': input cannot be an empty string/],
    [{ input: ['a', ''] }, 400, /'input\[1\]': input cannot be an empty string/],
    [{ input: [] }, 400, /'input': empty array/],
    [{ input: [[]] }, 400, /empty array/],
    [{ input: 7 }, 400, /'input': .*empty array/],
    [{ input: [{}] }, 400, /Invalid type for 'input'/],
    [{ input: ['a', [1]], dimensions: 0 }, 400, /'dimensions'/],
    [{ input: 'a', dimensions: 1537 }, 400, /less than or equal to 1536/],
    [{ input: 'a', encoding_format: 'int8' }, 400, /'float' and 'base64'/],
    [{ input: Array.from({ length: 2049 }, () => 'a') }, 400, /maximum length 2048/],
    [{ input: 'word '.repeat(9000) }, 400, /maximum context length is 8192/],
    [{ input: 'a', model: 'text-embedding-ada-002', dimensions: 5 }, 400, /does not support specifying dimensions/],
    [{ input: 'a', model: 'gpt-4o' }, 403, /not allowed to generate embeddings/],
    [{ input: 'a', model: 7 }, 400, /model parameter/],
  ]

  it.each(refusals)('are refused for %j', async (asked, status, message) => {
    const { client } = clientOf()
    const body = { model: small, encoding_format: 'float', ...asked } as OpenAI.EmbeddingCreateParams
    await expect(client.embeddings.create(body)).rejects.toMatchObject({
      status,
      message: expect.stringMatching(message),
    })
  })

  it('of any model where the provider is not strict, and say in errors what it is', async () => {
    const { client } = clientOf({ strict: false })
    const { data } = await client.embeddings.create({ model: 'my-embedder', input: 'A parcel' })
    expect(data[0]?.embedding).toHaveLength(1536)
    const empty = client.embeddings.create({ model: 'my-embedder', input: '' })
    await expect(empty).rejects.toThrow('(simulated provider)')
  })
})
