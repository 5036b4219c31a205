import type * as buffer from 'node:buffer'
import type * as crypto from 'node:crypto'
import type * as fs from 'node:fs'
import type * as path from 'node:path'
import type * as sqlite from 'node:sqlite'
import type * as v8 from 'node:v8'
import type * as vm from 'node:vm'
import type * as threads from 'node:worker_threads'

/** @internal Declarations of the package know nothing of Node. */
interface BuiltinModules {
  readonly 'node:buffer': typeof buffer
  readonly 'node:crypto': typeof crypto
  readonly 'node:fs': typeof fs
  readonly 'node:path': typeof path
  readonly 'node:sqlite': typeof sqlite
  readonly 'node:v8': typeof v8
  readonly 'node:vm': typeof vm
  readonly 'node:worker_threads': typeof threads
}

/**
 * A module that Node brings along, asked for when it is needed: an import of it would keep the importer out of browsers
 * and edge workers. Undefined where there is no such module.
 *
 * @internal
 */
export function builtinModule<Name extends keyof BuiltinModules>(name: Name): BuiltinModules[Name] | undefined {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> }
  return process?.getBuiltinModule?.(name)
}
