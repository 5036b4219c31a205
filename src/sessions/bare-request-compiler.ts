import { callable, shape, withMethods } from '../core/index.ts'
import type { Entailment, Hasher, InjectionDetector, Tokenizer } from '../core/index.ts'
import { bareCompiler } from '../compiler/index.ts'
import type { BareCompilerOptions, ConversationReading } from '../compiler/index.ts'
import { sha256 } from '../host/index.ts'
import { withUsual } from './usual-input.ts'
import type { RequestCompiler } from './usual-input.ts'

/** Parts of a compiler of `prehend/core`. Only those that a program names are in its bundle. */
export interface CoreCompilerOptions extends Omit<BareCompilerOptions, 'hash'> {
  /** SHA-256, as lower-case hexadecimal; the built-in one by default. */
  readonly hash?: Hasher
}

/**
 * A compiler of the parts that are given. Without `ladders` an item is shown whole or not at all. An input that needs a part that was not
 * given is an error that names the part; the same parts give the same bytes as `createCompiler` of `prehend`.
 *
 * ```ts
 * import { evidence } from 'prehend'
 * import { createCompiler, heuristicTokenizer } from 'prehend/core'
 *
 * const items = [evidence('The build broke on Monday.', 'wiki/builds')]
 * const compiler = createCompiler({ tokenizer: heuristicTokenizer })
 * const { pack } = compiler.compile({ items, budget: { windowTokens: 8_000 }, frame: { request: 'What changed?' } })
 * console.log(pack?.messages)
 * ```
 */
export function bareRequestCompiler(options: CoreCompilerOptions): RequestCompiler {
  shape.check(optionsShape, options, 'options')
  shape.checkMembers(options, new Set(optionsShape.names), 'options')
  return withUsual(bareCompiler({ hash: sha256, ...options }))
}

const optionsShape = shape.object<CoreCompilerOptions>({
  tokenizer: withMethods<Tokenizer>('a tokenizer', ['count']),
  hash: shape.optional(callable()),
  ladders: shape.optional(callable()),
  scorer: shape.optional(callable()),
  detector: shape.optional(withMethods<InjectionDetector>('a detector', ['score'])),
  entailment: shape.optional(withMethods<Entailment>('an entailment', ['entails'])),
  messageTokens: shape.optional(shape.count),
  conversations: shape.optional(
    withMethods<ConversationReading>('conversations of prehend/core', ['planner', 'history']),
  ),
})
