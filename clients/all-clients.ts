import { claudeCode } from './agents/claude-code.ts'
import { cline } from './agents/cline.ts'
import { codex } from './agents/codex.ts'
import { continueCli } from './agents/continue.ts'
import { geminiCli } from './agents/gemini-cli.ts'
import { opencodeAnthropic, opencodeOpenai } from './agents/opencode.ts'
import { pi, piInProcess } from './agents/pi.ts'
import { qwenCode } from './agents/qwen-code.ts'
import type { Client } from './client.ts'
import { adk, adkInProcess } from './frameworks/adk.ts'
import { aiSdkAnthropic, aiSdkInProcess } from './frameworks/ai-sdk-anthropic.ts'
import { aiSdk } from './frameworks/ai-sdk.ts'
import { anthropicPython } from './frameworks/anthropic-python.ts'
import { anthropic } from './frameworks/anthropic.ts'
import { googleGenai } from './frameworks/google-genai.ts'
import { langchain, langchainInProcess } from './frameworks/langchain.ts'
import { llamaindex } from './frameworks/llamaindex.ts'
import { mastra, mastraInProcess } from './frameworks/mastra.ts'
import { openaiAgents, openaiAgentsInProcess } from './frameworks/openai-agents.ts'
import { openaiPython } from './frameworks/openai-python.ts'
import { openai } from './frameworks/openai.ts'

export const allClients: readonly Client[] = [
  codex,
  opencodeOpenai,
  opencodeAnthropic,
  pi,
  piInProcess,
  qwenCode,
  geminiCli,
  cline,
  claudeCode,
  continueCli,
  openai,
  openaiPython,
  anthropic,
  anthropicPython,
  googleGenai,
  aiSdk,
  aiSdkAnthropic,
  aiSdkInProcess,
  langchain,
  langchainInProcess,
  openaiAgents,
  openaiAgentsInProcess,
  llamaindex,
  mastra,
  mastraInProcess,
  adk,
  adkInProcess,
]
