import type { CompileInput, CompileResult, CompileWatch, Item, Manifest, TextSource, Tokenizer } from '../core/index.ts'
import { careful, createCompiler as makeCompiler, ledgerKeys } from '../compiler/index.ts'
import type { Compiler, CompilerOptions } from '../compiler/index.ts'
import { sha256 } from '../host/index.ts'
import { tokenizerFor, tokenizerNamed } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'
import { errorCode, openSpan, stageSpans } from '../tracing/index.ts'
import type { Tracing } from '../tracing/index.ts'
import { growingHash } from './growing-hash.ts'

/** Counts for models that are not named. */
const usualModel = 'gpt-4.1'

export interface ModelOptions {
  readonly model?: string
  /** Facts about models, where the product's own are not enough. */
  readonly catalogue?: ModelCatalogue
}

/** What a compile is given besides its input. */
export interface CompileOptions extends Pick<ModelOptions, 'catalogue'> {
  /** Where its stages go as spans; nowhere unless told. */
  readonly tracing?: Tracing
}

/** A compiler with SHA-256 and the tokenizer of a model, unless told otherwise. Keep it: it remembers what it has counted. */
export function createCompiler(options: Partial<CompilerOptions> & ModelOptions = {}): Compiler {
  const { model = usualModel, catalogue, tokenizer = tokenizerFor(model, catalogue), ...rest } = options
  return makeCompiler({ hash: sha256, ...rest, tokenizer })
}

/** What is remembered of the last request of a conversation, to compile the next one sooner. */
export interface CompileMemory {
  readonly byTokenizer: Map<string, Compiler>
  /** The keys under which its ledger knows items. */
  readonly keysOf: (items: readonly Item[]) => readonly string[]
  /** SHA-256 of what is sent. */
  readonly bodyHash: (body: TextSource) => string
}

export function compileMemory(): CompileMemory {
  return { byTokenizer: new Map(), keysOf: ledgerKeys(sha256), bodyHash: growingHash() }
}

export interface CompileFor {
  (model: string, input: CompileInput, memory: CompileMemory, watch?: CompileWatch): CompileResult
}

type DetectorOption = Pick<CompilerOptions, 'detector'>

/** Compiles for a model; models that count alike share what is known of texts. */
export function compilers(catalogue: ModelCatalogue, { detector }: DetectorOption = {}): CompileFor {
  const compilerWith = compilersByTokenizer(detector && { detector })
  return (model, input, { byTokenizer }, watch) => {
    const tokenizer = tokenizerFor(model, catalogue)
    const compiler = byTokenizer.get(tokenizer.id) ?? compilerWith(tokenizer).forConversation()
    byTokenizer.set(tokenizer.id, compiler)
    return compiler.compile(input, watch)
  }
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
export function compile(input: CompileRequest, { catalogue, tracing }: CompileOptions = {}): CompileResult {
  const compiler = shared(tokenizerFor(input?.model ?? usualModel, catalogue))
  if (tracing === undefined) return compiler.compile(withDefaults(input))
  const spans = openSpan('prehend.compile')
  const root = tracing.begin('prehend.compile')
  try {
    return compiler.compile(
      withDefaults(input),
      stageSpans(() => spans),
    )
  } catch (error) {
    spans.fail(errorCode(error))
    throw error
  } finally {
    root.end(spans.record())
  }
}

/** Compiles as a receipt was compiled: counted by the tokenizer that it names, where that is one of ours. */
export function compileAgain(input: CompileInput, { tokenizerId }: Pick<Manifest, 'tokenizerId'>): CompileResult {
  return shared(tokenizerNamed(tokenizerId) ?? tokenizerFor(input.model ?? usualModel)).compile(input)
}

function withDefaults(input: CompileRequest): CompileInput {
  const { policy = careful, layout = 'payload' } = input
  return { ...input, policy, layout }
}

function compilersByTokenizer(options: DetectorOption = {}): (tokenizer: Tokenizer) => Compiler {
  const known = new Map<string, Compiler>()
  return (tokenizer) => {
    const compiler = known.get(tokenizer.id) ?? makeCompiler({ ...options, hash: sha256, tokenizer })
    known.set(tokenizer.id, compiler)
    return compiler
  }
}
