import { PrehendError } from '../../core/index.ts'
import type { TextEmbedder } from '../../knowledge/index.ts'
import type { Upstream, UpstreamReply } from '../../providers/index.ts'
import { readEmbeddings } from './read-embeddings.ts'
import type { EmbeddingSettings } from './embedding-settings.ts'

export interface UpstreamEmbedderOptions {
  readonly settings: EmbeddingSettings
  /** Where the texts go; asked with each call. Throws `not-configured`. */
  readonly upstream: () => Upstream
  /** Aborted when nobody wants a vector any more. */
  readonly closed: AbortSignal
  /** Told what the server says that it has read. */
  readonly used: (tokens: number) => void
}

/** Of an answer, for each text: 4,000 numbers as JSON. */
const bytesOfVector = 128 * 1024
const bytesBeside = 64 * 1024

/** Vectors by `/v1/embeddings`, as OpenAI, Ollama, vLLM, LM Studio and others answer it. One call for all texts. */
export function upstreamEmbedder({ settings, upstream, closed, used }: UpstreamEmbedderOptions): TextEmbedder {
  const { upstream: name, model, dimensions, timeoutMs } = settings
  return {
    model: `${name}/${model}`,
    async embed(texts) {
      const reply = await upstream().send({
        method: 'POST',
        path: '/v1/embeddings',
        headers: { 'content-type': 'application/json', 'accept': 'application/json' },
        body: JSON.stringify({ model, input: texts, ...(dimensions !== undefined && { dimensions }) }),
        signal: closed,
        timeouts: { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
      })
      const body = await boundedText(reply, bytesBeside + texts.length * bytesOfVector)
      if (reply.status < 200 || reply.status > 299) throw refused(reply.status)
      const { vectors, tokens } = readEmbeddings(body, texts.length, dimensions)
      if (tokens !== undefined) used(tokens)
      return vectors
    },
  }
}

/** Leaves the body where it is longer. */
async function boundedText({ body }: UpstreamReply, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > mostBytes) throw tooLong(mostBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function tooLong(mostBytes: number): PrehendError<'upstream-broken'> {
  const remedy = 'Look at `embeddings.upstream`, or ask for fewer `embeddings.dimensions`.'
  return new PrehendError('upstream-broken', `The answer to /v1/embeddings has over ${mostBytes} bytes. ${remedy}`, {
    remedy,
  })
}

/** What it says of it may quote the texts. */
function refused(status: number): PrehendError<'upstream-refused'> {
  const remedy =
    status === 401 || status === 403
      ? 'Look at the key of `embeddings.upstream`.'
      : 'Look at `embeddings.upstream` and `embeddings.model`.'
  const message = `The upstream that makes vectors answered ${status}. ${remedy}`
  return new PrehendError('upstream-refused', message, { status, said: '', remedy })
}
