import { createAnthropic } from '@ai-sdk/anthropic'
import { work } from './ai-sdk-loop.mjs'

await work(createAnthropic({ baseURL: process.env.ANTHROPIC_BASE_URL })('claude-sonnet-4-5'))
