import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText, jsonSchema, stepCountIs, streamText, wrapLanguageModel } from 'ai'
import type { ToolSet } from 'ai'
import { expect, it } from 'vitest'
import { fileText, fileWork, readsFiles, task } from '../file-work.fixture.ts'
import { prehendMiddleware } from './index.ts'

const folded = /\[lines (\d+)-(\d+) folded: [^\]]*\]/

/** Copies the first marker that it sees into a file, once. */
const copies: typeof readsFiles = (request) => {
  const said = JSON.stringify(request.json?.['messages'])
  const [marker] = folded.exec(said) ?? []
  if (marker === undefined || said.includes('"name":"write_file"')) return readsFiles(request)
  const text = JSON.parse(`"before\\n${marker}\\nafter"`) as string
  return { toolCalls: [{ name: 'write_file', arguments: { text } }] }
}

it.each([
  ['in one piece', generateText],
  ['streamed', async (asked: Parameters<typeof streamText>[0]) => streamText(asked).consumeStream()],
])(
  'a marker that the model copies into a call reaches the tool as the lines that it stands for, %s',
  async (_, run) => {
    const work = fileWork(copies)
    const anthropic = createAnthropic({ apiKey: 'k', fetch: work.provider.fetch })
    const written: string[] = []
    const object = { type: 'object' } as const
    const tools: ToolSet = {
      read_file: { inputSchema: jsonSchema<{ path: string }>(object), execute: ({ path }) => work.read(path) },
      write_file: { inputSchema: jsonSchema<{ text: string }>(object), execute: ({ text }) => written.push(text) },
    }
    const middleware = prehendMiddleware({ ...work.options, policy: 'careful' })
    const model = wrapLanguageModel({ model: anthropic('claude-sonnet-4-5'), middleware })
    await run({ model, tools, prompt: task, stopWhen: stepCountIs(40) })
    const [text = ''] = written
    const lines = text.split('\n').slice(1, -1)
    expect(text).toMatch(/^before\n[^]*\nafter$/)
    expect(lines.length).toBeGreaterThan(1)
    expect(work.paths.some((path) => fileText(path).includes(lines.join('\n')))).toBe(true)
  },
)
