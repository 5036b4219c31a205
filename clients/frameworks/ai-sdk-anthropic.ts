import { framework } from '../client.ts'
import type { Client } from '../client.ts'

export const aiSdkAnthropic: Client = framework('ai-sdk-anthropic', {
  name: 'AI SDK, Anthropic',
  dialect: 'anthropic-messages',
  packages: { 'ai': '7.0.173', '@ai-sdk/anthropic': '4.0.105', 'zod': '4.6.7' },
  pointedBy: '`ANTHROPIC_BASE_URL`, with or without `/v1`',
})

export const aiSdkInProcess: Client = {
  ...aiSdkAnthropic,
  name: 'AI SDK, in process',
  inProcess: 'ai-sdk',
  pointedBy: '`wrapLanguageModel` with the middleware of `prehend/ai-sdk`',
}
