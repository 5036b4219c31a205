import { invalidInput } from '../core/index.ts'
import type { WordClassifier } from './with-word-weights.ts'
import type { WordTokenizer } from './word-pieces.ts'

/** A tensor of ONNX Runtime, as far as it is used. */
export interface OnnxTensor {
  readonly data: ArrayLike<number | bigint> | object
  readonly dims: readonly number[]
}

/** A session of `onnxruntime-node` or `onnxruntime-web`, as far as it is used. */
export interface OnnxSession<Tensor extends OnnxTensor = OnnxTensor> {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  /** Runs the model on the tensors, by the names of its inputs. */
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, OnnxTensor>>>
}

/** Options of `onnxWordClassifier`. */
export interface OnnxClassifierOptions<Tensor extends OnnxTensor = OnnxTensor> {
  /** A token-classification model: ids in, `[1, ids, labels]` out. */
  readonly session: OnnxSession<Tensor>
  /** The constructor of the same package. */
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor
  readonly tokenizer: WordTokenizer
  /** The label that says that a token is to be kept; 1 by default. */
  readonly keepLabel?: number
  /** Ids that the model takes at once; 512 by default. */
  readonly maxIds?: number
  readonly id?: string
}

/**
 * A classifier of words by a token-classification model of the LLMLingua-2 kind, run by an ONNX runtime that is handed in: a word is worth
 * what the likeliest of its pieces is to be kept. Longer texts go in windows. Throws `invalid-input` where the model is of another kind.
 */
export function onnxWordClassifier<Tensor extends OnnxTensor>(options: OnnxClassifierOptions<Tensor>): WordClassifier {
  const { session, id = 'onnx' } = options
  if (!session.inputNames.includes('input_ids'))
    throw invalidInput(
      'session',
      `takes ${session.inputNames.join(', ')} and no input_ids`,
      'Give a model of token classification.',
    )
  return {
    id,
    async classify(texts) {
      const answers: Float32Array[] = []
      for (const words of texts) answers.push(await weightsOf(words, options))
      return answers
    },
  }
}

async function weightsOf<Tensor extends OnnxTensor>(
  words: readonly string[],
  { session, Tensor, tokenizer, keepLabel = 1, maxIds = 512 }: OnnxClassifierOptions<Tensor>,
): Promise<Float32Array> {
  const weights = new Float32Array(words.length)
  for (let from = 0; from < words.length;) {
    const { ids, wordOf, words: taken } = tokenizer.pieces(words.slice(from, from + maxIds), maxIds)
    const { data, labels } = scoresOf(await session.run(feedsOf(ids, session, Tensor)), session, ids.length)
    if (keepLabel >= labels) throw wrongModel(`has ${labels} labels and none at ${keepLabel}`)
    for (const [at, word] of wordOf.entries())
      if (word >= 0)
        weights[from + word] = Math.max(weights[from + word] ?? 0, likelihood(data, at * labels, { labels, keepLabel }))
    from += Math.max(1, taken)
  }
  return weights
}

function feedsOf<Tensor extends OnnxTensor>(
  ids: readonly number[],
  { inputNames }: OnnxSession<Tensor>,
  Tensor: OnnxClassifierOptions<Tensor>['Tensor'],
): Readonly<Record<string, Tensor>> {
  const tensor = (value: (id: number) => number): Tensor =>
    new Tensor(
      'int64',
      BigInt64Array.from(ids, (id) => BigInt(value(id))),
      [1, ids.length],
    )
  const known: Readonly<Record<string, (id: number) => number>> = {
    input_ids: (id) => id,
    attention_mask: () => 1,
    token_type_ids: () => 0,
  }
  return Object.fromEntries(
    inputNames.map((name) => {
      const value = known[name]
      if (value === undefined) throw wrongModel(`takes ${name}, which no tokenizer gives`)
      return [name, tensor(value)]
    }),
  )
}

function scoresOf(
  outputs: Readonly<Record<string, OnnxTensor>>,
  { outputNames }: Pick<OnnxSession, 'outputNames'>,
  ids: number,
) {
  const output = outputs['logits'] ?? outputs[outputNames[0] ?? '']
  const [batch, length, labels = 0] = output?.dims ?? []
  if (output === undefined || batch !== 1 || length !== ids || labels < 2)
    throw wrongModel(`gives ${output?.dims.join(' x ') ?? 'nothing'} for ${ids} ids`)
  return { data: output.data as ArrayLike<number>, labels }
}

function wrongModel(problem: string): Error {
  return invalidInput('session', problem, 'Give a model of token classification, with one figure a label for each id.')
}

/** Softmax over the labels of one id. */
function likelihood(
  data: ArrayLike<number>,
  from: number,
  { labels, keepLabel }: { readonly labels: number; readonly keepLabel: number },
): number {
  let sum = 0
  const own = data[from + keepLabel] ?? 0
  for (let label = 0; label < labels; label += 1) sum += Math.exp((data[from + label] ?? 0) - own)
  return 1 / sum
}
