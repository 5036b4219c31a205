import { compile as compileAsUsual, compileExtras, createCompiler, handleKeys, originalsOf } from '../sessions/index.ts'
import { openStore, storePlace } from './store-place.ts'
import type { CompileResult } from '../core/index.ts'
import type { GatewayExtensions } from '../gateway/index.ts'
import type { CompileTask } from './compile-input.ts'
import type { Io } from './io.ts'
import type { StoreOptions } from './store-place.ts'

const tenant = 'default'

export interface CompileKeptOptions {
  readonly place: StoreOptions
  readonly extensions: GatewayExtensions
}

/**
 * Compiles a task. An input that fits without hidden text is compiled without handles. Otherwise the originals of shortened items are kept
 * in the store, so that `prehend rehydrate` resolves their handles; a body that can offer the tool is written with it.
 */
export async function compileKept(
  { input, body }: CompileTask,
  { place, extensions }: CompileKeptOptions,
  io: Io,
): Promise<CompileResult> {
  const compile = compileWith(extensions, input.model)
  const mayHide = body !== undefined || input.rehydration === true
  const whole = compile({ ...input, rehydration: false })
  const fits = whole.outcome.kind === 'ok'
  if (!mayHide || (fits && !hidesText(whole))) return whole
  const store = await openStore(storePlace(place, io.environment), io)
  try {
    const keyOf = await handleKeys(store)
    // A body that cannot offer the tool is shortened without handles where that is enough.
    const shorter = { ...input, rehydration: input.rehydration === true || !fits, handleKey: keyOf(tenant) }
    const result = compile(shorter)
    const originals = originalsOf(shorter.items, result.manifest)
    if (originals.length > 0)
      await store.commit({
        scope: { tenant, session: 'compile', lane: 'compile' },
        nowMs: Date.now(),
        writes: [{ table: 'originals', originals }],
      })
    return result
  } finally {
    await store.close()
  }
}

function compileWith({ all }: GatewayExtensions, model: string | undefined): typeof compileAsUsual {
  const extras = compileExtras(all.map(({ added }) => added))
  if (Object.keys(extras).length === 0) return compileAsUsual
  const compiler = createCompiler({ ...extras, ...(model !== undefined && { model }) })
  return (input) => compiler.compile(input)
}

/** Whether a reader of the pack lacks text that a handle brings back. */
function hidesText({ manifest }: CompileResult): boolean {
  return manifest.decisions.some(({ rung, handle }) => handle !== undefined && rung !== 'full' && rung !== 'lossless')
}
