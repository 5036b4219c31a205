import { pythonAgent } from '../client.ts'

export const anthropicPython = pythonAgent('anthropic', {
  name: 'Anthropic SDK, Python',
  dialect: 'anthropic-messages',
  packages: { anthropic: '1.13.0' },
  pointedBy: '`ANTHROPIC_BASE_URL`',
})
