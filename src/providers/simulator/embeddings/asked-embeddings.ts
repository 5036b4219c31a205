import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { refused } from '../openai/problem.ts'
import { listOf, textOf } from '../read-json.ts'
import type { ProviderProblem } from '../wire.ts'
import type { EmbeddingInput } from './text-vector.ts'

export interface AskedEmbeddings {
  readonly model: string
  readonly inputs: readonly EmbeddingInput[]
  readonly dimensions: number
  readonly isBase64: boolean
}

const mostInputs = 2048
/** Also of models that nobody knows. */
const mostDimensions = 4096
const usualDimensions = 1536

const knownDimensions: Readonly<Record<string, number>> = {
  'text-embedding-3-large': 3072,
  'text-embedding-3-small': usualDimensions,
  'text-embedding-ada-002': usualDimensions,
}

/** What a request for embeddings asks for, or why the provider refuses it. */
export function askedEmbeddings(body: JsonObject, strict: boolean): AskedEmbeddings | ProviderProblem {
  const model = textOf(body['model'])
  if (model === undefined) return { status: 400, message: 'you must provide a model parameter' }
  if (strict && knownDimensions[model] === undefined) return notForEmbeddings(model)
  const inputs = inputsOf(body['input'])
  if (!Array.isArray(inputs)) return inputs as ProviderProblem
  const dimensions = dimensionsOf(body['dimensions'] ?? null, model, strict)
  if (typeof dimensions !== 'number') return dimensions
  const format = body['encoding_format'] ?? 'float'
  if (format !== 'float' && format !== 'base64') return otherFormat(format)
  return { model, inputs, dimensions, isBase64: format === 'base64' }
}

function notForEmbeddings(model: string): ProviderProblem {
  return { status: 403, message: `You are not allowed to generate embeddings from this model: ${model}` }
}

function otherFormat(format: JsonValue): ProviderProblem {
  const given = JSON.stringify(format)
  return refused(
    `Invalid value: ${given}. Supported values are: 'float' and 'base64'.`,
    'encoding_format',
    'invalid_value',
  )
}

/** One text, several, one list of tokens, or several. */
function inputsOf(input: JsonValue | undefined): readonly EmbeddingInput[] | ProviderProblem {
  if (input === undefined) return refused("Missing required parameter: 'input'.", 'input', 'missing_required_parameter')
  const list = listOf(input)
  const isTokens = list.length > 0 && list.every((member) => typeof member === 'number')
  const inputs = typeof input === 'string' || isTokens ? [input] : list
  if (inputs.length === 0)
    return refused(
      "Invalid 'input': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'input',
      'empty_array',
    )
  if (inputs.length > mostInputs)
    return refused(
      `Invalid 'input': array too long. Expected an array with maximum length ${mostInputs}, but got an array with length ${inputs.length} instead.`,
      'input',
      'array_above_max_length',
    )
  const read = inputs.map(inputOf)
  const wrong = read.findIndex((one) => one === undefined || one.length === 0)
  return wrong < 0
    ? read.filter((one) => one !== undefined)
    : wrongInput(read[wrong], inputs.length > 1 ? wrong : undefined)
}

function inputOf(input: JsonValue): EmbeddingInput | undefined {
  if (typeof input === 'string') return input
  if (!Array.isArray(input)) return undefined
  const tokens = listOf(input).filter((token) => typeof token === 'number')
  return tokens.length === input.length ? tokens : undefined
}

function wrongInput(input: EmbeddingInput | undefined, at: number | undefined): ProviderProblem {
  const place = at === undefined ? 'input' : `input[${at}]`
  if (input === '') return refused(`Invalid '${place}': input cannot be an empty string.`, 'input', 'invalid_value')
  if (input !== undefined) return refused(`Invalid '${place}': input cannot be an empty array.`, 'input', 'empty_array')
  return refused(
    `Invalid type for '${place}': expected one of a string, array of strings, array of integers, or array of integer arrays.`,
    'input',
    'invalid_type',
  )
}

function dimensionsOf(given: JsonValue, model: string, strict: boolean): number | ProviderProblem {
  const most = knownDimensions[model] ?? mostDimensions
  if (given === null) return knownDimensions[model] ?? usualDimensions
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 1)
    return refused("Invalid 'dimensions': expected an integer >= 1.", 'dimensions', 'invalid_value')
  if (strict && model === 'text-embedding-ada-002')
    return refused('This model does not support specifying dimensions.', 'dimensions')
  if (given <= most) return given
  return refused(
    `Invalid value for 'dimensions' = ${given}. Must be less than or equal to ${most}.`,
    'dimensions',
    'invalid_value',
  )
}
