import { generateText, jsonSchema, streamText, tool as toolOf } from 'ai'
import { tool } from './one-tool.mjs'

const factories = {
  '@ai-sdk/openai': (made, { url, api }) =>
    made.createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any', compatibility: 'strict' })[api],
  '@ai-sdk/anthropic': (made, { url }) => made.createAnthropic({ baseURL: `${url}/v1`, apiKey: 'any' }),
  '@ai-sdk/google': (made, { url }) => made.createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'any' }),
  '@ai-sdk/deepseek': (made, { url }) => made.createDeepSeek({ baseURL: `${url}/v1`, apiKey: 'any' }),
  '@ai-sdk/openai-compatible': (made, { url }) =>
    made.createOpenAICompatible({ name: 'any', baseURL: `${url}/v1`, apiKey: 'any', includeUsage: true }),
  '@openrouter/ai-sdk-provider': (made, { url }) =>
    made.createOpenRouter({ baseURL: `${url}/api/v1`, apiKey: 'any', compatibility: 'strict' }),
}

const thinking = {
  anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } },
  google: { thinkingConfig: { includeThoughts: true } },
}

const finishes = { 'stop': 'end', 'length': 'length', 'tool-calls': 'calls', 'content-filter': 'refused' }

export async function reader(target) {
  const model = factories[target.sdk](await import(target.sdk), target)(target.model)
  const { api, major, marks } = target
  // The names of major 4 are its own.
  const [limit, schema] = major === 4 ? ['maxTokens', 'parameters'] : ['maxOutputTokens', 'inputSchema']

  function asked({ prompt, offersTool, thinks, maxTokens, isLong }) {
    const marked = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
    const text = { type: 'text', text: prompt, ...(isLong && marks && marked) }
    const given = toolOf({ description: tool.description, [schema]: jsonSchema(tool.parameters) })
    return {
      model,
      messages: [{ role: 'user', content: [text] }],
      maxRetries: 0,
      [limit]: maxTokens,
      ...(offersTool && { tools: { [tool.name]: given } }),
      ...(thinks && { providerOptions: thinking }),
    }
  }

  function read({ text, reasoningText, reasoning, toolCalls, finishReason, usage }) {
    return {
      text,
      thinking: reasoningText ?? (typeof reasoning === 'string' ? reasoning : ''),
      calls: toolCalls.map(({ toolName, input, args }) => ({ name: toolName, arguments: input ?? args })),
      finish: finishes[finishReason] ?? String(finishReason),
      output: outputOf(usage),
      // Until major 6, what an Anthropic cache gave was no part of the prompt.
      ...(major >= 6 && { input: usage.inputTokens, cached: usage.inputTokenDetails?.cacheReadTokens ?? 0 }),
      ...(major === 5 && api !== 'messages' && { input: usage.inputTokens, cached: usage.cachedInputTokens ?? 0 }),
    }
  }

  /** Until major 6, what was thought was no part of what Gemini had said; in major 4 it is not told at all. */
  function outputOf({ outputTokens, completionTokens, reasoningTokens = 0 }) {
    if (api !== 'gemini' || major >= 6) return outputTokens ?? completionTokens
    return major === 5 ? outputTokens + reasoningTokens : undefined
  }

  async function streamed(question) {
    const failures = []
    const result = streamText({ ...asked(question), onError: ({ error }) => void failures.push(error) })
    for await (const part of result.fullStream) if (part.type === 'error') failures.push(part.error)
    const [failure] = failures
    if (failure instanceof Error) throw failure
    if (failure !== undefined) throw Object.assign(new Error(JSON.stringify(failure)), failure)
    const names = ['text', 'reasoningText', 'reasoning', 'toolCalls', 'finishReason', 'usage']
    return read(Object.fromEntries(await Promise.all(names.map(async (name) => [name, await result[name]]))))
  }

  return async (question) => (question.isStreamed ? streamed(question) : read(await generateText(asked(question))))
}
