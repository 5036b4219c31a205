import { expect, it } from 'vitest'
import { parseConfig } from '../config.ts'

const given =
  (embeddings: object, upstreams: object = { ollama: {} }) =>
  () =>
    parseConfig({ upstreams, embeddings: { upstream: 'ollama', model: 'nomic-embed-text', ...embeddings } })

it('vectors are made by an upstream of the configuration', () => {
  expect(given({})().embeddings).toEqual({
    upstream: 'ollama',
    model: 'nomic-embed-text',
    waitMs: 150,
    timeoutMs: 10_000,
  })
  expect(parseConfig({}).embeddings).toBeUndefined()
})

it.each([
  [{ upstream: 'olama' }, { ollama: {} }, 'embeddings.upstream: there is no upstream olama. Did you mean ollama?'],
  [{}, {}, 'embeddings.upstream: there is no upstream ollama. There is none; add it to `upstreams`.'],
  [{ upstream: 'anthropic' }, { anthropic: {} }, 'embeddings.upstream: anthropic is not known to speak an OpenAI API.'],
  [{}, { ollama: { credentials: 'of-clients' } }, 'has no key but those of clients'],
  [{ dimensions: 0 }, { ollama: {} }, 'embeddings.dimensions'],
  [{ waitMS: 1 }, { ollama: {} }, 'embeddings.waitMS'],
])('%j is refused by its path', (embeddings, upstreams, message) => {
  expect(given(embeddings, upstreams)).toThrow(message)
})
