import { codex } from './agents/codex.ts'
import type { Client } from './client.ts'
import { aiSdkAnthropic } from './frameworks/ai-sdk-anthropic.ts'
import { aiSdk } from './frameworks/ai-sdk.ts'
import { anthropic } from './frameworks/anthropic.ts'
import { langchain } from './frameworks/langchain.ts'
import { mastra } from './frameworks/mastra.ts'
import { openaiAgents } from './frameworks/openai-agents.ts'
import { openai } from './frameworks/openai.ts'

export const allClients: readonly Client[] = [
  codex,
  openai,
  anthropic,
  aiSdk,
  aiSdkAnthropic,
  langchain,
  openaiAgents,
  mastra,
]
