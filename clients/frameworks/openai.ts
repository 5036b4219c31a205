import { framework } from '../client.ts'

export const openai = framework('openai', {
  name: 'OpenAI SDK',
  dialect: 'openai-chat',
  packages: { openai: '7.55.0' },
  pointedBy: '`OPENAI_BASE_URL`',
})
