import { PrehendError, isJsonObject, jsonValue } from '../../core/index.ts'

export interface ReadEmbeddings {
  /** In the order of the texts. */
  readonly vectors: readonly (readonly number[])[]
  /** What was read of them; undefined where the server does not say. */
  readonly tokens?: number
}

/** What a body of `/v1/embeddings` answers for so many texts. Throws `upstream-broken`, and quotes nothing of it. */
export function readEmbeddings(body: string, count: number, dimensions?: number): ReadEmbeddings {
  const answer = jsonValue(body)
  const data = isJsonObject(answer) ? answer['data'] : undefined
  if (!Array.isArray(data)) throw broken('is no list of vectors')
  if (data.length !== count) throw broken(`has ${data.length} vectors for ${count} texts`)
  const placed = new Map(data.map((one) => (isJsonObject(one) ? [one['index'], one['embedding']] : [undefined, one])))
  const vectors = Array.from({ length: count }, (_, at) => placed.get(at))
  if (!vectors.every((one) => isVector(one)))
    throw broken('lacks the vector of a text, by `index`, or has one that is no list of numbers')
  const odd = vectors.find(({ length }) => length !== (dimensions ?? vectors[0]?.length))
  if (odd !== undefined)
    throw broken(`has a vector of ${odd.length} numbers, and one of ${dimensions ?? vectors[0]?.length} is wanted`)
  const usage = isJsonObject(answer) ? answer['usage'] : undefined
  const tokens = isJsonObject(usage) ? usage['prompt_tokens'] : undefined
  return { vectors, ...(typeof tokens === 'number' && tokens >= 0 && { tokens }) }
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number' && Number.isFinite(one))
}

function broken(problem: string): PrehendError<'upstream-broken'> {
  const remedy = 'Look at `embeddings.upstream` and `embeddings.model`.'
  return new PrehendError('upstream-broken', `The answer to /v1/embeddings ${problem}. ${remedy}`, { remedy })
}
