import { hash } from 'node:crypto'
import type { CompileInput, CompileResult, Manifest, Tokenizer } from '../core/index.ts'
import { careful, createCompiler as makeCompiler } from '../compiler/index.ts'
import type { Compiler, CompilerOptions } from '../compiler/index.ts'
import { tokenizerFor, tokenizerNamed } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'

/** Counts for models that are not named. */
const usualModel = 'gpt-4.1'

export interface ModelOptions {
  readonly model?: string
  /** Facts about models, where the product's own are not enough. */
  readonly catalogue?: ModelCatalogue
}

/** A compiler with SHA-256 and the tokenizer of a model, unless told otherwise. Keep it: it remembers what it has counted. */
export function createCompiler(options: Partial<CompilerOptions> & ModelOptions = {}): Compiler {
  const { model = usualModel, catalogue, tokenizer = tokenizerFor(model, catalogue), ...rest } = options
  return makeCompiler({ hash: sha256, ...rest, tokenizer })
}

/** Compiles for a model; models that count alike share a compiler and what it remembers. */
export function compilers(catalogue: ModelCatalogue): (model: string, input: CompileInput) => CompileResult {
  const compilerWith = compilersByTokenizer()
  return (model, input) => compilerWith(tokenizerFor(model, catalogue)).compile(input)
}

/** What is compiled, with everything left out that has a usual value. */
export type CompileRequest = Omit<CompileInput, 'policy' | 'layout'> & Partial<Pick<CompileInput, 'policy' | 'layout'>>

const shared = compilersByTokenizer()

/**
 * Compiles typed context into a request that fits its budget, counted as `input.model` counts: by policy `careful` and in
 * layout `payload` unless told otherwise. Synchronous and deterministic: the same input gives the same bytes.
 *
 * ```ts
 * const { outcome, pack, manifest } = compile({
 *   items, budget: { windowTokens: 128_000 }, frame: { request: 'What changed?' },
 * })
 * ```
 */
export function compile(input: CompileRequest): CompileResult {
  return shared(tokenizerFor(input?.model ?? usualModel)).compile(withDefaults(input))
}

/** Compiles as a receipt was compiled: counted by the tokenizer that it names, where that is one of ours. */
export function compileAgain(input: CompileInput, { tokenizerId }: Pick<Manifest, 'tokenizerId'>): CompileResult {
  return shared(tokenizerNamed(tokenizerId) ?? tokenizerFor(input.model ?? usualModel)).compile(input)
}

function withDefaults(input: CompileRequest): CompileInput {
  const { policy = careful, layout = 'payload' } = input
  return { ...input, policy, layout }
}

function compilersByTokenizer(): (tokenizer: Tokenizer) => Compiler {
  const known = new Map<string, Compiler>()
  return (tokenizer) => {
    const compiler = known.get(tokenizer.id) ?? makeCompiler({ hash: sha256, tokenizer })
    known.set(tokenizer.id, compiler)
    return compiler
  }
}

/** As lower-case hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text)
}
