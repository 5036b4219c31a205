import * as ort from 'onnxruntime-web'
import { beforeAll, describe, expect, it } from 'vitest'
import { careful, createCompiler } from '../compiler/index.ts'
import type { Item } from '../core/index.ts'
import { evidence } from '../core/index.ts'
import { sha256 } from '../host/index.ts'
import { onnxWordClassifier } from './onnx-word-classifier.ts'
import { tinyModel, tinyVocabulary, trainedEmbedding } from './tiny-model.fixture.ts'
import { withWordWeights } from './with-word-weights.ts'
import { wordPieces } from './word-pieces.ts'

const count = (text: string): number => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu)?.length ?? 0
const { compile } = createCompiler({ tokenizer: { id: 'words', count }, hash: sha256 })

const tokenizer = wordPieces({ vocabulary: tinyVocabulary })
let session: ort.InferenceSession

beforeAll(async () => {
  session = await ort.InferenceSession.create(tinyModel(trainedEmbedding()))
})

const classifier = () => onnxWordClassifier({ session, Tensor: ort.Tensor, tokenizer })

describe('a trained token classifier, a real file in the real runtime', () => {
  it('G-040: says what words are worth as it was trained to', async () => {
    const words = 'the market of the town is very old'.split(' ')
    const [weights] = await classifier().classify([words])
    const worth = new Map(words.map((word, at) => [word, weights?.[at] ?? 0]))
    for (const word of ['market', 'town', 'old']) expect(worth.get(word)).toBeGreaterThan(0.8)
    for (const word of ['the', 'of', 'is', 'very']) expect(worth.get(word)).toBeLessThan(0.2)
  })

  it('G-040: its words go first where a passage is shortened, and the ladder stays pure', async () => {
    const text = Array.from(
      { length: 12 },
      () => 'the boats that were in the harbour of the town are zorpy and the merchants of the ships are zorpy',
    ).join(', ')
    const policy = { ...careful, compression: { above: 0, keepRatio: 0.5, minFidelity: 0.3 } }
    const plain = evidence(text, 'town')
    const [item = plain] = await withWordWeights([plain], classifier())
    expect(item.wordWeights).toMatch(/^[\da-f]+$/)
    const rest = {
      budget: { windowTokens: 10_000 },
      layout: 'payload',
      frame: { request: 'Where?' },
      rehydration: true,
    } as const
    const shown = (one: Item) => compile({ items: [one], policy, ...rest }).pack?.entries[0]?.text ?? ''
    const byModel = shown(item)
    expect(byModel).toContain('boats harbour town')
    expect(byModel).not.toMatch(/\bthat were in the\b/)
    expect(shown(item)).toBe(byModel)
    expect(byModel).not.toBe(shown(plain))
  })

  it('texts longer than the model takes go in windows', async () => {
    const words = Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? 'the' : 'market'))
    const [weights] = await onnxWordClassifier({ session, Tensor: ort.Tensor, tokenizer, maxIds: 16 }).classify([words])
    expect(weights).toHaveLength(300)
    for (const at of [0, 1, 150, 151, 298, 299]) expect((weights?.[at] ?? 0) > 0.5).toBe(at % 2 === 1)
  })

  it('a file that is no model, and a model of another kind, are told by name', async () => {
    await expect(ort.InferenceSession.create(new Uint8Array([1, 2, 3, 4]))).rejects.toThrow(/./)
    const other = { inputNames: ['pixels'], outputNames: ['y'], run: async () => ({}) }
    expect(() => onnxWordClassifier({ session: other, Tensor: ort.Tensor, tokenizer })).toThrow(/pixels/)
    const wrong = {
      inputNames: ['input_ids'],
      outputNames: ['y'],
      run: async () => ({ y: { data: [1], dims: [1, 1] } }),
    }
    await expect(
      onnxWordClassifier({ session: wrong, Tensor: ort.Tensor, tokenizer }).classify([['the']]),
    ).rejects.toThrow(/token classification/)
    expect(() => wordPieces({ vocabulary: ['a'] })).toThrow(/\[CLS\]/)
  })
})

it('words are cut into the longest pieces that the vocabulary has', () => {
  const { ids, wordOf, words } = tokenizer.pieces(['Markets,', 'zorp'], 512)
  const told = ids.map((id) => tinyVocabulary[id])
  expect(told).toEqual(['[CLS]', 'market', '##s', ',', '[UNK]', '[SEP]'])
  expect(wordOf).toEqual([-1, 0, 0, 0, 1, -1])
  expect(words).toBe(2)
})
