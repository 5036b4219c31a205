import { createOpenAI } from '@ai-sdk/openai'
import { work } from './ai-sdk-loop.mjs'

await work(createOpenAI({ baseURL: process.env.OPENAI_BASE_URL })('gpt-4o'))
