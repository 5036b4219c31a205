import { framework } from '../client.ts'

export const llamaindex = framework('llamaindex', {
  name: 'LlamaIndex',
  dialect: 'anthropic-messages',
  packages: { 'llamaindex': '0.12.1', '@llamaindex/anthropic': '0.3.26', '@llamaindex/workflow': '1.1.24' },
  pointedBy: '`ANTHROPIC_BASE_URL`',
})
