import { framework } from '../client.ts'

export const mastra = framework('mastra', {
  name: 'Mastra',
  dialect: 'openai-chat',
  packages: { '@mastra/core': '1.71.0', 'zod': '4.6.7' },
  variables: { MASTRA_TELEMETRY_DISABLED: '1' },
  pointedBy: 'a model `{ id, url, apiKey }`',
})
