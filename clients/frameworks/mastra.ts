import { framework } from '../client.ts'
import type { Client } from '../client.ts'

const own = {
  name: 'Mastra',
  dialect: 'openai-chat',
  packages: { '@mastra/core': '1.71.0', 'zod': '4.6.7' },
  variables: { MASTRA_TELEMETRY_DISABLED: '1' },
} as const

export const mastra: Client = framework('mastra', { ...own, pointedBy: 'a model `{ id, url, apiKey }`' })

export const mastraInProcess: Client = framework('mastra', {
  ...own,
  name: 'Mastra, in process',
  inProcess: 'mastra',
  pointedBy: '`inputProcessors: [prehendProcessor()]` of `prehend/mastra`',
})
