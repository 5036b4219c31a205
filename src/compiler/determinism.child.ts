// Compiles the input at argv[2], after compiling something else, and prints the hash of all that came out.
import { readFileSync } from 'node:fs'
import type { CompileInput } from '../core/index.ts'
import { stableJson } from '../core/index.ts'
import { sha256, wordTokenizer } from './compile-input.fixture.ts'
import { createCompiler } from './create-compiler.ts'

const [, , path = ''] = process.argv
const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
const input = JSON.parse(readFileSync(path, 'utf8')) as CompileInput
compiler.compile({ ...input, items: input.items.slice(1) })
process.stdout.write(sha256(stableJson(compiler.compile(input))))
