import type { JsonObject } from '../../core/index.ts'
import type { DialectRoute, DialectSigns } from '../codec.ts'

const versions = ['/v1beta', '/v1alpha', '/v1'] as const

export const geminiSigns: DialectSigns = {
  provider: 'google',
  roots: ['/v1beta/', '/v1alpha/'],
  routes: versions.flatMap((version): DialectRoute[] => [
    { method: 'POST', path: `${version}/models/{model}:generateContent`, kind: 'messages' },
    { method: 'POST', path: `${version}/models/{model}:streamGenerateContent`, kind: 'messages' },
    { method: 'POST', path: `${version}/models/{model}:countTokens`, kind: 'count-tokens' },
    { method: 'POST', path: `${version}/models/{model}:embedContent`, kind: 'plain' },
    { method: 'POST', path: `${version}/models/{model}:batchEmbedContents`, kind: 'plain' },
    { method: 'GET', path: `${version}/models`, kind: 'plain' },
    { method: 'GET', path: `${version}/models/{id}`, kind: 'plain' },
    { method: 'POST', path: `${version}/cachedContents`, kind: 'plain' },
    { method: 'GET', path: `${version}/cachedContents`, kind: 'plain' },
    { method: 'GET', path: `${version}/cachedContents/{id}`, kind: 'plain' },
  ]),
  header: 'x-goog-api-key',
  credential: 'x-goog-api-key',
  modelList: {
    member: 'models',
    name: 'name',
    hasMore: (list) => typeof list['nextPageToken'] === 'string' && list['nextPageToken'] !== '',
    entry: (id) => ({
      name: `models/${id}`,
      displayName: id,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    }),
  },
  likeness,
}

/** No other dialect lists what is said under this name. */
function likeness({ contents }: JsonObject): 0 | 2 {
  return Array.isArray(contents) ? 2 : 0
}
