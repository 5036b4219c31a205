import { framework } from '../client.ts'

export const aiSdk = framework('ai-sdk', {
  name: 'AI SDK, Responses',
  dialect: 'openai-responses',
  packages: { 'ai': '7.0.173', '@ai-sdk/openai': '4.0.118', 'zod': '4.6.7' },
  pointedBy: '`OPENAI_BASE_URL`',
})
