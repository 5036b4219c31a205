import { readFileSync } from 'node:fs'
import type { SearchedTool, ToolMeanings } from '../src/tools/index.ts'
import type { ToolSet } from './tools-data.ts'
import { wordVectors } from './word-vectors.ts'

/*
 * Embedders that need no model, for the part of a search that takes vectors: hashed pieces of words, and random indexing of the catalogue
 * (what words stand together in descriptions; a random projection of latent semantic indexing).
 */

export interface ToolEmbedder {
  readonly name: string
  /** Learns from the catalogue, where it learns at all. */
  make(texts: readonly string[]): (text: string) => Float32Array
}

const dimensions = 512

export const toolEmbedders: readonly ToolEmbedder[] = [
  { name: 'hashed pieces', make: () => hashedPieces },
  {
    name: 'random indexing',
    make(texts) {
      const vectorOf = wordVectors(texts)
      const none = vectorOf(texts.join(' '))?.map(() => 0) ?? new Float32Array(1)
      return (text) => vectorOf(text) ?? none
    },
  },
]

/** An embedder whose vectors were made elsewhere: lines of `{"text", "vector"}`, for every text of `embeddedTexts`. */
export function recordedEmbedder(file: string): ToolEmbedder {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const vectors = new Map(
    lines.map((line) => {
      const { text, vector } = JSON.parse(line) as { readonly text: string; readonly vector: readonly number[] }
      return [text, Float32Array.from(vector)]
    }),
  )
  const vectorOf = (text: string): Float32Array => {
    const vector = vectors.get(headOf(text))
    if (vector === undefined) throw new Error(`${file} has no vector of ${JSON.stringify(headOf(text))}.`)
    return vector
  }
  return { name: file, make: () => vectorOf }
}

/** What an embedder is asked for: small encoders read no more. */
export function embeddedTexts(sets: readonly ToolSet[]): readonly string[] {
  const texts = sets.flatMap(({ tools, queries }) => [...tools.map(textOf), ...queries.map(({ text }) => text)])
  return [...new Set(texts.map(headOf))]
}

const mostChars = 400

function headOf(text: string): string {
  return text.slice(0, mostChars)
}

function textOf({ name, description, pastQueries = [] }: SearchedTool): string {
  const words = name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
  return [`${words}. ${description}`, ...pastQueries].join('\n')
}

export function meaningsOf(
  tools: readonly SearchedTool[],
  { make }: ToolEmbedder,
): { readonly meanings: ToolMeanings; embed(text: string): Float32Array } {
  const texts = tools.map(textOf)
  const embed = make(texts)
  return { embed, meanings: { vectors: new Map(tools.map(({ id }, at) => [id, embed(texts[at] ?? '')])) } }
}

/** Pieces of three to five characters, each at a place and with a sign that its hash says; less where a piece is said often. */
function hashedPieces(text: string): Float32Array {
  const counts = new Map<string, number>()
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    for (const length of [3, 4, 5])
      for (let at = 0; at + length <= word.length + 2; at += 1) {
        const piece = ` ${word} `.slice(at, at + length)
        counts.set(piece, (counts.get(piece) ?? 0) + 1)
      }
  const vector = new Float32Array(dimensions)
  for (const [piece, count] of counts) {
    const hash = hashOf(piece)
    const at = hash % dimensions
    vector[at] = (vector[at] ?? 0) + (hash & 0x10000 ? 1 : -1) * Math.log(1 + count)
  }
  return vector
}

/** FNV-1a, of 32 bits. */
export function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  return (hash ^ (hash >>> 15)) >>> 0
}
