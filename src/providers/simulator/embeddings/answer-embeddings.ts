import type { JsonObject } from '../../../core/index.ts'
import type { CountTokens } from '../dialect.ts'
import { openaiDialect } from '../openai/dialect.ts'
import type { SimulatedRequest } from '../record.ts'
import type { Simulation } from '../simulation.ts'
import type { ProviderProblem, WireResponse } from '../wire.ts'
import { askedEmbeddings } from './asked-embeddings.ts'
import type { AskedEmbeddings } from './asked-embeddings.ts'
import { textVector } from './text-vector.ts'
import type { EmbeddingInput } from './text-vector.ts'

interface AskedOfEmbeddings {
  readonly simulation: Simulation
  readonly record: SimulatedRequest
  readonly body: JsonObject
  readonly count: CountTokens
}

/** What OpenAI's models for embeddings read of one text. */
const mostTokens = 8192

/** Embeddings in OpenAI's form, without a model: texts that share words are near each other. */
export function answerEmbeddings({ simulation, record, body, count }: AskedOfEmbeddings): WireResponse {
  const asked = askedEmbeddings(body, simulation.strict)
  if ('status' in asked) return simulation.reject(record, openaiDialect, asked)
  const tokens = asked.inputs.map((input) => (typeof input === 'string' ? count(asked.model, input) : input.length))
  const longest = Math.max(...tokens)
  if (longest > mostTokens) return simulation.reject(record, openaiDialect, tooLong(longest))
  const inputTokens = tokens.reduce((sum, each) => sum + each, 0)
  record.usage = { inputTokens, outputTokens: 0 }
  simulation.finish(record, 'answered')
  return simulation.respond(record, openaiDialect, JSON.stringify(embeddingList(asked, inputTokens)))
}

function embeddingList(asked: AskedEmbeddings, tokens: number): JsonObject {
  return {
    object: 'list',
    data: asked.inputs.map((input, index) => ({ object: 'embedding', index, embedding: embedding(input, asked) })),
    model: asked.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

function embedding(input: EmbeddingInput, { dimensions, isBase64 }: AskedEmbeddings): readonly number[] | string {
  const vector = textVector(input, dimensions)
  return isBase64 ? base64Of(vector) : Array.from(vector)
}

/** Four bytes for each number, the lowest first, on any machine. */
function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}

function tooLong(tokens: number): ProviderProblem {
  const message = `This model's maximum context length is ${mostTokens} tokens, however you requested ${tokens} tokens (${tokens} in your prompt; 0 for the completion). Please reduce your prompt; or completion length.`
  return { status: 400, message }
}
