import { Gemini } from '@google/adk'
import { tool } from './one-tool.mjs'

/** Codes of answers that ended before their end; all others are errors. */
const ends = new Set(['SAFETY', 'PROHIBITED_CONTENT', 'MAX_TOKENS'])

export function reader({ model, url }) {
  process.env.GOOGLE_GEMINI_BASE_URL = url
  const llm = new Gemini({ model, apiKey: 'any' })
  const { name, description, parameters: parametersJsonSchema } = tool

  return async ({ prompt, offersTool, thinks, maxTokens, isStreamed }) => {
    const request = {
      model,
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      config: {
        maxOutputTokens: maxTokens,
        ...(offersTool && { tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema }] }] }),
        ...(thinks && { thinkingConfig: { includeThoughts: true } }),
      },
      liveConnectConfig: {},
      toolsDict: {},
    }
    const replies = await Array.fromAsync(llm.generateContentAsync(request, isStreamed))
    const failed = replies.find(({ errorCode }) => errorCode !== undefined && !ends.has(errorCode))
    if (failed) throw new Error(failed.errorMessage ?? failed.errorCode)
    const parts = replies.filter(({ partial }) => partial !== true).flatMap(({ content }) => content?.parts ?? [])
    const said = (isThought) =>
      parts.map(({ text = '', thought = false }) => (thought === isThought ? text : '')).join('')
    return {
      text: said(false),
      thinking: said(true),
      calls: parts
        .flatMap(({ functionCall }) => functionCall ?? [])
        .map((call) => ({ name: call.name, arguments: call.args })),
    }
  }
}
