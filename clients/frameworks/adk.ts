import { framework } from '../client.ts'

export const adk = framework('adk', {
  name: 'Google ADK',
  dialect: 'gemini',
  packages: { '@google/adk': '2.0.0', 'zod': '4.6.7' },
  pointedBy: '`GOOGLE_GEMINI_BASE_URL`',
})
