import { hash } from 'node:crypto'
import type { CompileInput, CompileResult } from '../core/index.ts'
import { createCompiler } from '../compiler/index.ts'
import type { Compiler } from '../compiler/index.ts'
import { tokenizerFor } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'

/** Compiles for a model; models that count alike share a compiler and what it remembers. */
export function compilers(catalogue: ModelCatalogue): (model: string, input: CompileInput) => CompileResult {
  const byTokenizer = new Map<string, Compiler>()
  return (model, input) => {
    const tokenizer = tokenizerFor(model, catalogue)
    const known = byTokenizer.get(tokenizer.id)
    if (known) return known.compile(input)
    const compiler = createCompiler({ tokenizer, hash: sha256 })
    byTokenizer.set(tokenizer.id, compiler)
    return compiler.compile(input)
  }
}

function sha256(text: string): string {
  return hash('sha256', text)
}
