import { objectLike, shape } from '../core/index.ts'
import type { CompileInput, CompileResult, CompileWatch } from '../core/index.ts'
import { chosenPolicy, defaultPolicy } from '../compiler/index.ts'
import type { Compiler, PolicyChoice } from '../compiler/index.ts'

/** The input of a compile, without what has a default: policy `balanced`, layout `payload`. */
export interface CompileRequest extends Omit<CompileInput, 'policy' | 'layout'>, Partial<Pick<CompileInput, 'layout'>> {
  /** A policy, or the name of one that comes with the product. */
  readonly policy?: PolicyChoice
}

/** A compiler of the library: `policy` and `layout` have the defaults that they have in `compile`. */
export interface RequestCompiler extends Compiler {
  compile(input: CompileRequest, watch?: CompileWatch): CompileResult
  forConversation(): RequestCompiler
}

export function withUsual(compiler: Compiler): RequestCompiler {
  return {
    compile: (input, watch) => compiler.compile(withDefaults(input), watch),
    forConversation: () => withUsual(compiler.forConversation()),
  }
}

export function withDefaults(input: CompileRequest): CompileInput {
  requireInput(input)
  const { policy = defaultPolicy, layout = 'payload' } = input
  return { ...input, policy: chosenPolicy(policy), layout }
}

/** Throws `invalid-input` where the input of a compile is no object. */
export function requireInput(input: CompileRequest): void {
  shape.check(inputShape, input, 'input')
}

const inputShape = objectLike('an object with items and a budget')
