import { GoogleGenAI } from '@google/genai'
import { answer, fileTools, job, mostTurns, schemaOf } from './file-tools.mjs'

const google = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY })

const functionDeclarations = Object.entries(fileTools).map(([name, tool]) => ({
  name,
  description: tool.description,
  parametersJsonSchema: schemaOf(tool),
}))

const contents = [{ role: 'user', parts: [{ text: job.prompt }] }]
for (let turn = 0; turn < mostTurns; turn += 1) {
  const config = { tools: [{ functionDeclarations }] }
  const stream = await google.models.generateContentStream({ model: 'gemini-2.5-pro', contents, config })
  const parts = []
  for await (const { candidates } of stream) parts.push(...(candidates?.[0]?.content?.parts ?? []))
  contents.push({ role: 'model', parts })
  for (const { text } of parts) if (text) console.log(text)
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
  if (calls.length === 0) break
  const results = calls.map(({ id, name, args }) => ({
    functionResponse: { id, name, response: { output: answer(name, args) } },
  }))
  contents.push({ role: 'user', parts: results })
}
