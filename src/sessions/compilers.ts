import { callable, shape, withMethods } from '../core/index.ts'
import type {
  CompileInput,
  CompileResult,
  CompileWatch,
  Entailment,
  InjectionDetector,
  Item,
  Manifest,
  TextSource,
  Tokenizer,
} from '../core/index.ts'
import { createCompiler as makeCompiler, ledgerKeys } from '../compiler/index.ts'
import type { Compiler, CompilerOptions } from '../compiler/index.ts'
import { sha256 } from '../host/index.ts'
import { tokenizerFor, tokenizerNamed } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'
import { errorCode, openSpan, stageSpans } from '../tracing/index.ts'
import type { Tracing } from '../tracing/index.ts'
import { growingHash } from './growing-hash.ts'
import { requireInput, withDefaults, withUsual } from './usual-input.ts'
import type { CompileRequest, RequestCompiler } from './usual-input.ts'

/** Counts for models that are not named. */
const usualModel = 'gpt-4.1'

/** The model whose tokens a compiler counts. */
export interface ModelOptions {
  readonly model?: string
  /** Facts about models, where the product's own are not enough. */
  readonly catalogue?: ModelCatalogue
}

/** What a compile is given besides its input. */
export interface CompileOptions extends Pick<ModelOptions, 'catalogue'> {
  /** Where its stages go as spans; nowhere by default. */
  readonly tracing?: Tracing
}

/** A compiler with SHA-256 and the tokenizer of a model by default. Keep it: it remembers counts and hashes. */
export function createCompiler(options: Partial<CompilerOptions> & ModelOptions = {}): RequestCompiler {
  shape.check(compilerOptionsShape, options, 'options')
  shape.checkMembers(options, compilerOptionNames, 'options')
  const { model = usualModel, catalogue, tokenizer = tokenizerFor(model, catalogue), ...rest } = options
  return withUsual(makeCompiler({ hash: sha256, ...rest, tokenizer }))
}

const compilerOptionsShape = shape.object<Partial<CompilerOptions> & ModelOptions>({
  tokenizer: shape.optional(withMethods<Tokenizer>('a tokenizer', ['count'])),
  hash: shape.optional(callable()),
  ladders: shape.optional(callable()),
  scorer: shape.optional(callable()),
  detector: shape.optional(withMethods<InjectionDetector>('a detector', ['score'])),
  entailment: shape.optional(withMethods<Entailment>('an entailment', ['entails'])),
  messageTokens: shape.optional(shape.count),
  model: shape.optional(shape.name),
  catalogue: shape.optional(withMethods<ModelCatalogue>('a catalogue', ['info'])),
})
const compilerOptionNames: ReadonlySet<string> = new Set(compilerOptionsShape.names)

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

/** What a host may have otherwise in its compilers. */
export type CompileExtras = Pick<CompilerOptions, 'ladders' | 'scorer' | 'detector'>

/** Compiles for a model; models that count alike share what is known of texts. */
export function compilers(catalogue: ModelCatalogue, extras: CompileExtras = {}): CompileFor {
  const compilerWith = compilersByTokenizer(extras)
  return (model, input, { byTokenizer }, watch) => {
    const tokenizer = tokenizerFor(model, catalogue)
    const compiler = byTokenizer.get(tokenizer.id) ?? compilerWith(tokenizer).forConversation()
    byTokenizer.set(tokenizer.id, compiler)
    return compiler.compile(input, watch)
  }
}

const shared = compilersByTokenizer()

/**
 * Compiles typed context into a request that fits its budget, counted as `input.model` counts: by policy `balanced` and in
 * layout `payload` unless told otherwise. Synchronous and deterministic: the same input gives the same bytes.
 *
 * ```ts
 * import { compile, evidence } from 'prehend'
 *
 * const items = [evidence('The build broke on Monday.', 'wiki/builds')]
 * const { kind, pack, manifest } = compile({
 *   items, budget: { windowTokens: 128_000 }, frame: { request: 'What changed?' },
 * })
 * console.log(kind, pack?.messages, manifest.decisions)
 * ```
 */
export function compile(input: CompileRequest, options: CompileOptions = {}): CompileResult {
  shape.check(compileOptionsShape, options, 'options')
  const { catalogue, tracing } = options
  const compiler = shared(tokenizerFor(modelOf(input), catalogue))
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

/** Compiles a receipt's input again. */
export type CompileAgain = (input: CompileRequest, manifest: Pick<Manifest, 'tokenizerId'>) => CompileResult

/** Compiles as a receipt was compiled: counted by the tokenizer that it names, where that is one of ours. */
export const compileAgain: CompileAgain = againBy(shared)

/** The same for receipts of a host that has ladders, a scorer or a detector of its own. */
export function compilesAgain(extras: CompileExtras): CompileAgain {
  return Object.keys(extras).length === 0 ? compileAgain : againBy(compilersByTokenizer(extras))
}

function againBy(compilerWith: typeof shared): CompileAgain {
  return (input, manifest) => {
    shape.check(countedShape, manifest, 'manifest')
    const tokenizer = tokenizerNamed(manifest.tokenizerId) ?? tokenizerFor(modelOf(input))
    return compilerWith(tokenizer).compile(withDefaults(input))
  }
}

const countedShape = shape.object<Pick<Manifest, 'tokenizerId'>>({ tokenizerId: shape.text })
const compileOptionsShape = shape.object<CompileOptions>({
  catalogue: shape.optional(withMethods<ModelCatalogue>('a catalogue', ['info'])),
  tracing: shape.optional(withMethods<Tracing>('tracing', ['begin'])),
})

/** The model to count for. Throws `invalid-input` where the input is no object, or its model no name. */
function modelOf(input: CompileRequest): string {
  requireInput(input)
  return input.model ?? usualModel
}

function compilersByTokenizer(options: CompileExtras = {}): (tokenizer: Tokenizer) => Compiler {
  const known = new Map<string, Compiler>()
  return (tokenizer) => {
    const compiler = known.get(tokenizer.id) ?? makeCompiler({ ...options, hash: sha256, tokenizer })
    known.set(tokenizer.id, compiler)
    return compiler
  }
}
