import { hash } from 'node:crypto'
import type { Compiler } from './compiler/index.ts'
import { createCompiler as makeCompiler } from './compiler/index.ts'
import type { CompilerOptions } from './compiler/index.ts'
import type { CompileInput, CompileResult, Manifest, Tokenizer } from './core/index.ts'
import { tokenizerFor, tokenizerNamed } from './tokens/index.ts'
import type { ModelCatalogue } from './tokens/index.ts'

export { careful, costFirst, policies, qualityFirst, serializePack, thrifty, verifyManifest } from './compiler/index.ts'
export type { Compiler, CompilerOptions } from './compiler/index.ts'
export { compileDocumentSchema, parseCompileDocument, parseCompileText } from './compile-document.ts'
export type * from './core/index.ts'
export { isPrehendError, PrehendError } from './core/index.ts'
export { modelCatalogue, tokenizerFor } from './tokens/index.ts'
export type { CatalogueOptions, ModelCatalogue, ModelSettings } from './tokens/index.ts'

/** Counts for models that are not named. */
const usualModel = 'gpt-4.1'

/** SHA-256 as lower-case hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

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

const compilers = new Map<string, Compiler>()

/**
 * Compiles typed context into a request that fits its budget, counted as `input.model` counts. Synchronous and
 * deterministic: the same input gives the same bytes.
 *
 * ```ts
 * const { outcome, pack, manifest } = compile({
 *   items, policy: careful, layout: 'payload', budget: { windowTokens: 128_000 }, frame: { request: 'What changed?' },
 * })
 * ```
 */
export function compile(input: CompileInput): CompileResult {
  return compilerWith(tokenizerFor(input?.model ?? usualModel)).compile(input)
}

/** Compiles as a receipt was compiled: counted by the tokenizer that it names, where that is one of ours. */
export function compileAgain(input: CompileInput, { tokenizerId }: Pick<Manifest, 'tokenizerId'>): CompileResult {
  return compilerWith(tokenizerNamed(tokenizerId) ?? tokenizerFor(input.model ?? usualModel)).compile(input)
}

function compilerWith(tokenizer: Tokenizer): Compiler {
  const known = compilers.get(tokenizer.id)
  if (known !== undefined) return known
  const compiler = makeCompiler({ hash: sha256, tokenizer })
  compilers.set(tokenizer.id, compiler)
  return compiler
}
