import { GoogleGenAI } from '@google/genai'
import { tool } from './one-tool.mjs'

const finishes = { STOP: 'end', MAX_TOKENS: 'length', SAFETY: 'refused', PROHIBITED_CONTENT: 'refused' }

export function reader({ model, url }) {
  const { models } = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: url } })
  const { name, description, parameters: parametersJsonSchema } = tool

  async function generate({ prompt, offersTool, thinks, maxTokens, isStreamed }) {
    const asked = {
      model,
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      config: {
        maxOutputTokens: maxTokens,
        ...(offersTool && { tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema }] }] }),
        ...(thinks && { thinkingConfig: { includeThoughts: true } }),
      },
    }
    const replies = isStreamed
      ? await Array.fromAsync(await models.generateContentStream(asked))
      : [await models.generateContent(asked)]
    const parts = replies.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    const { usageMetadata: usage = {}, promptFeedback, candidates } = replies.at(-1)
    const said = (isThought) =>
      parts.map(({ text = '', thought = false }) => (thought === isThought ? text : '')).join('')
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    const reason = promptFeedback?.blockReason ?? candidates?.[0]?.finishReason
    return {
      text: said(false),
      thinking: said(true),
      calls: calls.map((call) => ({ name: call.name, arguments: call.args })),
      finish: calls.length > 0 && reason === 'STOP' ? 'calls' : (finishes[reason] ?? String(reason)),
      input: usage.promptTokenCount,
      output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
      cached: usage.cachedContentTokenCount ?? 0,
    }
  }

  const kinds = {
    reply: generate,
    models: async () => ({ ids: (await Array.fromAsync(await models.list())).map((each) => each.name) }),
    model: async () => ({ ids: [(await models.get({ model })).name] }),
    count: async ({ prompt }) => ({ tokens: (await models.countTokens({ model, contents: prompt })).totalTokens }),
  }
  return (question) => kinds[question.kind](question)
}
