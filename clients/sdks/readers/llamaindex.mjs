import { tool } from './one-tool.mjs'

const factories = {
  '@llamaindex/openai': ({ OpenAI }, { url }, asked) => new OpenAI({ ...asked, baseURL: `${url}/v1` }),
  '@llamaindex/anthropic': ({ Anthropic, AnthropicSession }, { url, model }, asked) => {
    const session = new AnthropicSession({ apiKey: 'any', baseURL: url, maxRetries: 0 })
    return new Anthropic({ ...asked, model, session })
  },
}

export async function reader(target) {
  const made = await import(target.sdk)
  return async ({ prompt, offersTool, maxTokens, isStreamed: stream }) => {
    const llm = factories[target.sdk](made, target, { model: target.model, maxTokens, apiKey: 'any', maxRetries: 0 })
    const { parameters, ...named } = tool
    const tools = offersTool ? { tools: [{ metadata: { ...named, parameters }, call: () => '' }] } : {}
    const asked = { messages: [{ role: 'user', content: prompt }], ...tools, stream }
    const reply = await llm.chat(asked)
    return stream ? folded(await Array.fromAsync(reply)) : wholeOf(reply.message)
  }
}

function wholeOf({ content, options }) {
  const text = typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
  return { text, calls: (options?.toolCall ?? []).map(callOf) }
}

function folded(chunks) {
  const text = chunks.map(({ delta }) => delta).join('')
  const calls = new Map(
    chunks.flatMap(({ options }) => (options?.toolCall ?? []).map((call) => [call.id, callOf(call)])),
  )
  return { text, calls: [...calls.values()] }
}

function callOf({ name, input }) {
  return { name, arguments: typeof input === 'string' ? JSON.parse(input) : input }
}
