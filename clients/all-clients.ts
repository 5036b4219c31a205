import { codex } from './agents/codex.ts'
import type { Client } from './client.ts'
import { aiSdk } from './frameworks/ai-sdk.ts'

export const allClients: readonly Client[] = [codex, aiSdk]
