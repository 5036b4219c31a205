import { heuristicDetector } from '../defense/index.ts'
import { ladderFor } from '../ladders/index.ts'
import { bareCompiler } from './bare-compiler.ts'
import type { Compiler } from './bare-compiler.ts'
import { conversations } from './conversations.ts'
import type { CompilerOptions } from './solving/compiler-parts.ts'

/** A compiler with the built-in ladders and detector. It remembers counts, hashes and renditions of what it has seen, in bounded memory. */
export function createCompiler(options: CompilerOptions): Compiler {
  const { ladders = ladderFor, detector = heuristicDetector } = options
  return bareCompiler({ ...options, ladders, detector, conversations })
}
