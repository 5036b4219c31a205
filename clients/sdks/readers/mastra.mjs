import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { tool } from './one-tool.mjs'

const finishes = { 'stop': 'end', 'length': 'length', 'tool-calls': 'calls', 'content-filter': 'refused' }

export function reader({ model, url }) {
  const { name: id, description } = tool
  const given = createTool({ id, description, inputSchema: z.object({ path: z.string() }), execute: async () => '' })

  return async ({ prompt, offersTool, maxTokens: maxOutputTokens, isStreamed }) => {
    const agent = new Agent({
      id: 'reader',
      name: 'reader',
      instructions: 'You answer.',
      model: { id: `openai-compatible/${model}`, url: `${url}/v1`, apiKey: 'any' },
      maxRetries: 0,
      ...(offersTool && { tools: { [id]: given } }),
    })
    const asked = { maxSteps: 1, modelSettings: { maxOutputTokens, maxRetries: 0 } }
    const told = isStreamed ? await streamed(await agent.stream(prompt, asked)) : await agent.generate(prompt, asked)
    return {
      text: told.text,
      calls: told.toolCalls.map(({ payload: { toolName, args } }) => ({ name: toolName, arguments: args })),
      finish: finishes[told.finishReason] ?? String(told.finishReason),
      input: told.usage.inputTokens,
      output: told.usage.outputTokens,
    }
  }
}

async function streamed(result) {
  for await (const { type, payload } of result.fullStream) if (type === 'error') throw payload.error
  const names = ['text', 'toolCalls', 'finishReason', 'usage']
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await result[name]])))
}
