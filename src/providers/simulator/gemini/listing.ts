import type { ModelListing } from '../model-list.ts'
import { simulatedName } from '../model.ts'

export const geminiListing: ModelListing = {
  list: (models) => ({ models }),
  entry: ({ id, info }, _createdMs, asProvider) => ({
    name: `models/${id}`,
    version: '001',
    displayName: asProvider ? id : `${id} (${simulatedName})`,
    inputTokenLimit: info.windowTokens,
    outputTokenLimit: info.maxOutputTokens,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }),
}
