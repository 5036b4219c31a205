import { dialects as builtInDialects } from '../codecs/index.ts'
import type { DialectTable } from '../codecs/index.ts'
import type { CompileInput, CompileResult } from '../core/index.ts'
import type { GatewayExtensions } from '../gateway/index.ts'
import { compile, compileAgain, compileExtras, compilesAgain, createCompiler, dialectsOf } from '../sessions/index.ts'
import type { CompileAgain, CompileExtras } from '../sessions/index.ts'

/** How a command compiles: with the ladders, scorers, detectors and dialects of its extensions. */
export interface Compiling {
  compile(input: CompileInput): CompileResult
  /** What a receipt holds, as it was compiled. */
  readonly again: CompileAgain
  readonly dialects: DialectTable
  readonly extras: CompileExtras
}

export const builtInCompiling: Compiling = { compile, again: compileAgain, dialects: builtInDialects, extras: {} }

export function compilingWith(extensions: GatewayExtensions): Compiling {
  if (extensions.all.length === 0) return builtInCompiling
  const extras = compileExtras(extensions.all.map(({ added }) => added))
  return {
    compile: (input) =>
      createCompiler({ ...extras, ...(input.model !== undefined && { model: input.model }) }).compile(input),
    again: compilesAgain(extras),
    dialects: dialectsOf(extensions),
    extras,
  }
}
