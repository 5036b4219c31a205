import { tool } from './one-tool.mjs'

/** How much a model may say and whether it thinks is decided when it is made. */
const factories = {
  '@langchain/openai': ({ ChatOpenAI }, { url, api }, asked) =>
    new ChatOpenAI({ ...asked, useResponsesApi: api === 'responses', configuration: { baseURL: `${url}/v1` } }),
  '@langchain/anthropic': ({ ChatAnthropic }, { url }, { thinks, ...asked }) =>
    new ChatAnthropic({
      ...asked,
      anthropicApiUrl: url,
      ...(thinks && { temperature: 1, thinking: { type: 'enabled', budget_tokens: 1024 } }),
    }),
  '@langchain/google-genai': ({ ChatGoogleGenerativeAI }, { url }, { maxTokens: maxOutputTokens, ...asked }) =>
    new ChatGoogleGenerativeAI({ ...asked, maxOutputTokens, baseUrl: url }),
}

export async function reader(target) {
  const made = await import(target.sdk)
  const isGoogles = target.sdk === '@langchain/google-genai'
  // Of a stream it adds what its first event and its last say was used, which with Anthropic is one token too many.
  // In major 0 it leaves out what was read from a cache.
  const tellsUsage = (isStreamed) => target.sdk !== '@langchain/anthropic' || (!isStreamed && target.major > 0)
  return async ({ prompt, offersTool, isStreamed, maxTokens, thinks }) => {
    const asked = { model: target.model, maxTokens, thinks, apiKey: 'any', maxRetries: 0 }
    const plain = factories[target.sdk](made, target, asked)
    const llm = offersTool ? plain.bindTools([{ type: 'function', function: tool }]) : plain
    const message = isStreamed ? await folded(await llm.stream(prompt)) : await llm.invoke(prompt)
    const { content, tool_calls: calls = [], usage_metadata: usage } = message
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return {
      text: blocks.map(({ type, text = '' }) => (type === 'text' || type === 'text_delta' ? text : '')).join(''),
      ...(!isGoogles && { thinking: blocks.map(({ thinking = '' }) => thinking).join('') }),
      calls: calls.map(({ name, args }) => ({ name, arguments: args })),
      ...(usage &&
        tellsUsage(isStreamed) && {
          input: usage.input_tokens,
          // What Gemini thought is no part of it.
          ...(!isGoogles && { output: usage.output_tokens }),
        }),
    }
  }
}

async function folded(stream) {
  const chunks = await Array.fromAsync(stream)
  return chunks.slice(1).reduce((before, chunk) => before.concat(chunk), chunks[0] ?? { content: '' })
}
