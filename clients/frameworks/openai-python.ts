import { pythonAgent } from '../client.ts'

export const openaiPython = pythonAgent('openai', {
  name: 'OpenAI SDK, Python',
  dialect: 'openai-chat',
  packages: { openai: '3.22.1' },
  pointedBy: '`OPENAI_BASE_URL`',
})
