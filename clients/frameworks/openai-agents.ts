import { framework } from '../client.ts'
import type { Client } from '../client.ts'

export const openaiAgents: Client = framework('openai-agents', {
  name: 'OpenAI Agents',
  dialect: 'openai-responses',
  packages: { '@openai/agents': '0.20.0', 'zod': '4.6.7' },
  variables: { OPENAI_AGENTS_DISABLE_TRACING: '1' },
  pointedBy: '`OPENAI_BASE_URL`',
})

export const openaiAgentsInProcess: Client = {
  ...openaiAgents,
  name: 'OpenAI Agents, in process',
  inProcess: 'openai-agents',
  pointedBy: '`modelProvider: prehendProvider(…)` of `prehend/openai-agents`',
}
