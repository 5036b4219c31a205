import { framework } from '../client.ts'

export const googleGenai = framework('google-genai', {
  name: 'Google Gen AI SDK',
  dialect: 'gemini',
  packages: { '@google/genai': '3.1.0' },
  pointedBy: '`GOOGLE_GEMINI_BASE_URL`',
})
