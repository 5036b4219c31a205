import { framework } from '../client.ts'
import type { Client } from '../client.ts'

export const langchain: Client = framework('langchain', {
  name: 'LangChain',
  dialect: 'openai-chat',
  packages: { 'langchain': '1.5.14', '@langchain/core': '1.2.13', '@langchain/openai': '1.6.0', 'zod': '4.6.7' },
  variables: { LANGSMITH_TRACING: 'false' },
  pointedBy: '`OPENAI_BASE_URL`, or `configuration: { baseURL }`',
})

export const langchainInProcess: Client = {
  ...langchain,
  name: 'LangChain, in process',
  inProcess: 'langchain',
  pointedBy: '`middleware: [prehendMiddleware()]` of `prehend/langchain`',
}
