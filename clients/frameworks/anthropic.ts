import { framework } from '../client.ts'

export const anthropic = framework('anthropic', {
  name: 'Anthropic SDK',
  dialect: 'anthropic-messages',
  packages: { '@anthropic-ai/sdk': '1.11.0' },
  pointedBy: '`ANTHROPIC_BASE_URL`',
})
