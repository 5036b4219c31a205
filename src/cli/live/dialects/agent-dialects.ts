import type { Dialect } from '../../../core/index.ts'
import type { ModelInfo } from '../../../tokens/index.ts'
import type { AgentDialect } from './agent-dialect.ts'
import { anthropicAgent } from './anthropic-messages.ts'
import { geminiAgent } from './gemini.ts'
import { openaiChatAgent } from './openai-chat.ts'

const agentDialects: readonly AgentDialect[] = [openaiChatAgent, anthropicAgent, geminiAgent]

/** The one in which a model is asked by those who made it. */
export function dialectOfFamily({ provider }: Pick<ModelInfo, 'provider'>): Dialect {
  return provider === 'anthropic' ? 'anthropic-messages' : provider === 'google' ? 'gemini' : 'openai-chat'
}

/** Undefined for a dialect in which no agent of ours speaks. */
export function agentDialect(dialect: Dialect): AgentDialect | undefined {
  return agentDialects.find((one) => one.dialect === dialect)
}
