import { dialects as builtInDialects } from '../codecs/index.ts'
import type { DialectTable } from '../codecs/index.ts'
import type { CompileResult } from '../core/index.ts'
import type { GatewayExtensions } from '../gateway/index.ts'
import { compile, compileAgain, compileExtras, compilesAgain, createCompiler, dialectsOf } from '../sessions/index.ts'
import type { CompileAgain, CompileExtras, CompileRequest } from '../sessions/index.ts'

/** How a command compiles: with the ladders, scorers, detectors and dialects of its extensions. */
export interface Compiling {
  compile(input: CompileRequest): CompileResult
  /** What a receipt holds, as it was compiled. */
  readonly again: CompileAgain
  readonly dialects: DialectTable
  readonly extras: CompileExtras
}

export const builtInCompiling: Compiling = { compile, again: compileAgain, dialects: builtInDialects, extras: {} }

export function compilingWith(extensions: GatewayExtensions): Compiling {
  if (extensions.all.length === 0) return builtInCompiling
  const extras = compileExtras(extensions.all.map(({ added }) => added))
  const compilers = new Map<string | undefined, ReturnType<typeof createCompiler>>()
  const compilerFor = (model: string | undefined): ReturnType<typeof createCompiler> => {
    const compiler = compilers.get(model) ?? createCompiler({ ...extras, ...(model !== undefined && { model }) })
    compilers.set(model, compiler)
    return compiler
  }
  return {
    compile: (input) => compilerFor(input.model).compile(input),
    again: compilesAgain(extras),
    dialects: dialectsOf(extensions),
    extras,
  }
}
