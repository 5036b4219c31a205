import { OpenAIProvider, setTracingDisabled, withTrace } from '@openai/agents'
import { tool } from './one-tool.mjs'

setTracingDisabled(true)

export async function reader({ api, model: name, url }) {
  // It tries again unless the client that it is given does not.
  const { default: OpenAI } = await import('openai')
  const openAIClient = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
  const model = await new OpenAIProvider({ openAIClient, useResponses: api === 'responses' }).getModel(name)

  return async ({ prompt, offersTool, maxTokens, isStreamed }) => {
    const request = {
      input: prompt,
      modelSettings: { maxTokens },
      tools: offersTool ? [{ type: 'function', ...tool, strict: false }] : [],
      outputType: 'text',
      handoffs: [],
      tracing: false,
    }
    const whole = () => withTrace('reader', () => model.getResponse(request))
    const { output, usage } = isStreamed ? await lastOf(model, request) : await whole()
    const calls = output.filter(({ type }) => type === 'function_call')
    const parts = output.flatMap(({ type, content }) => (type === 'message' ? content : []))
    return {
      text: parts.map(({ text = '' }) => text).join(''),
      calls: calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) })),
      input: usage.inputTokens,
      output: usage.outputTokens,
    }
  }
}

async function lastOf(model, request) {
  const events = await Array.fromAsync(model.getStreamedResponse(request))
  return events.findLast(({ type }) => type === 'response_done').response
}
