// A prompt from search results: what fits goes in, each with its source, and the answer says which sources it used.
import { compile, evidence, inferredCitations, instruction, toRequest } from 'prehend'
import { simulatedProvider } from 'prehend/testing'
import { hits } from './hits.ts'

const question = 'When does the first ferry to Elba leave, and how many cars does it take?'
const items = [
  instruction('Answer from the evidence. If it does not say, say so.'),
  ...hits.map(({ url, text, score }) => evidence(text, url, { scores: { relevance: score } })),
]
const { kind, outcome, pack, manifest } = compile({
  items,
  model: 'gpt-5.1',
  budget: { windowTokens: 900, maxOutputTokens: 200 },
  frame: { request: question },
})
if (kind !== 'ok') throw new Error(`The prompt could not be built: ${kind}`)

console.log(`${hits.length} hits, ${outcome.omitted} left out, ${pack.tokens} tokens`)
for (const { itemId, rung, reason } of manifest.decisions)
  if (itemId.startsWith('evidence')) console.log(`  ${rung.padEnd(8)} ${reason}`)

// A model that answers from the evidence; put the `fetch` of your SDK in its place.
const provider = simulatedProvider({ script: () => 'The ferry leaves Piombino at seven. It carries forty cars.' })
const { request } = toRequest(pack, { items, model: 'gpt-5.1', maxOutputTokens: 200 })
const response = await provider.fetch('https://api.openai.com/v1/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'authorization': 'Bearer any' },
  body: JSON.stringify(request),
})
const { choices } = (await response.json()) as { choices: readonly { message: { content: string } }[] }
const text = choices[0]?.message.content ?? ''
console.log(text)

const entries = hits.map(({ url, text: of }) => ({ id: url, text: of }))
for (const { source, by } of inferredCitations({ entries, text })) console.log(`  from ${source}, by ${by}`)
