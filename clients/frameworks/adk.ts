import { framework } from '../client.ts'
import type { Client } from '../client.ts'

export const adk: Client = framework('adk', {
  name: 'Google ADK',
  dialect: 'gemini',
  packages: { '@google/adk': '2.0.0', 'zod': '4.6.7' },
  // Its job has too few results before the copies for `masked` to shorten them.
  policy: 'thrifty',
  pointedBy: '`GOOGLE_GEMINI_BASE_URL`',
})

export const adkInProcess: Client = {
  ...adk,
  name: 'Google ADK, in process',
  inProcess: 'adk',
  pointedBy: '`plugins: [prehend]` and `prehend.model(…)` of `prehend/adk`',
}
