/** Bytes of protocol buffers, as far as an ONNX file needs them. */
type Field = readonly [number: number, value: number | string | Uint8Array | Float32Array]

const encoder = new TextEncoder()

function varint(value: number): readonly number[] {
  const bytes: number[] = []
  let left = value
  while (left > 127) {
    bytes.push((left & 127) | 128)
    left = Math.floor(left / 128)
  }
  return [...bytes, left]
}

function message(...fields: readonly Field[]): Uint8Array {
  return Uint8Array.from(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [...varint(number * 8), ...varint(value)]
      const bytes =
        typeof value === 'string'
          ? encoder.encode(value)
          : value instanceof Float32Array
            ? new Uint8Array(value.buffer)
            : value
      return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes]
    }),
  )
}

const float = 1
const int64 = 7

function tensor(name: string, values: Float32Array, dims: readonly number[]): Uint8Array {
  return message(...dims.map((dim): Field => [1, dim]), [2, float], [8, name], [9, values])
}

function node(type: string, inputs: readonly string[], output: string): Uint8Array {
  return message(...inputs.map((input): Field => [1, input]), [2, output], [4, type])
}

function described(name: string, type: number, dims: readonly string[]): Uint8Array {
  const shape = message(
    ...dims.map((dim): Field => [1, /^\d/.test(dim) ? message([1, Number(dim)]) : message([2, dim])]),
  )
  return message([1, name], [2, message([1, message([1, type], [2, shape])])])
}

/** An ONNX file of a token classifier: an embedding of one figure for each piece, and a linear layer of two labels, drop and keep. */
export function tinyModel(embedding: Float32Array): Uint8Array {
  const graph = message(
    [1, node('Gather', ['embedding', 'input_ids'], 'embedded')],
    [1, node('MatMul', ['embedded', 'weights'], 'logits')],
    [2, 'tiny'],
    [5, tensor('embedding', embedding, [embedding.length, 1])],
    [5, tensor('weights', Float32Array.of(-1, 1), [1, 2])],
    [11, described('input_ids', int64, ['1', 'ids'])],
    [12, described('logits', float, ['1', 'ids', '2'])],
  )
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])])
}

/** Texts, and what somebody who shortened them has kept. */
const shortened: readonly (readonly [string, string])[] = [
  ['the house that was by the river is old', 'house river old'],
  ['there was a very large market in the town', 'large market town'],
  ['it is the price of the bread that has risen', 'price bread risen'],
  ['the keys are with the woman of the office', 'keys woman office'],
  ['a letter that came in the morning was lost', 'letter came morning lost'],
  ['the boats of the harbour are very old', 'boats harbour old'],
  ['in the evening there is singing in the streets', 'evening singing streets'],
  ['the merchants that came with the ships were rich', 'merchants came ships rich'],
]

export const tinyVocabulary: readonly string[] = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '.',
  ',',
  ...new Set(shortened.flatMap(([text]) => text.split(' '))),
  '##s',
  '##ed',
]

/** Trains the embedding by gradient descent on whether a word was kept. */
export function trainedEmbedding(): Float32Array {
  const figures = new Float32Array(tinyVocabulary.length).fill(0.5)
  const places = new Map(tinyVocabulary.map((piece, at) => [piece, at]))
  for (let round = 0; round < 200; round += 1)
    for (const [text, kept] of shortened) {
      const stays = new Set(kept.split(' '))
      for (const word of text.split(' ')) {
        const at = places.get(word) ?? 1
        const likely = 1 / (1 + Math.exp(-2 * (figures[at] ?? 0)))
        figures[at] = (figures[at] ?? 0) + 0.2 * ((stays.has(word) ? 1 : 0) - likely)
      }
    }
  return figures
}
