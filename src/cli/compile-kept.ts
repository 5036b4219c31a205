import { compile, handleKeys, originalsOf } from '../sessions/index.ts'
import { openStore, storeFile } from './store-place.ts'
import type { CompileResult } from '../core/index.ts'
import type { CompileTask } from './compile-input.ts'
import type { Io } from './io.ts'

const tenant = 'default'

/**
 * Compiles a task. An input that fits without hidden text is compiled without handles. Otherwise the originals of shortened items are kept
 * in the store, so that `prehend rehydrate` resolves their handles; a body that can offer the tool is written with it.
 */
export async function compileKept(
  { input, body }: CompileTask,
  data: string | undefined,
  io: Io,
): Promise<CompileResult> {
  const mayHide = body !== undefined || input.rehydration === true
  const whole = compile({ ...input, rehydration: false })
  const fits = whole.outcome.kind === 'ok'
  if (!mayHide || (fits && !hidesText(whole))) return whole
  const store = await openStore(storeFile(data, io.environment), io)
  try {
    const keyOf = await handleKeys(store)
    // A body that cannot offer the tool is shortened without handles where that is enough.
    const shorter = { ...input, rehydration: input.rehydration === true || !fits, handleKey: keyOf(tenant) }
    const result = compile(shorter)
    const originals = originalsOf(shorter.items, result.manifest)
    if (originals.length > 0)
      await store.commit({ scope: { tenant, session: 'compile', lane: 'compile' }, nowMs: Date.now(), originals })
    return result
  } finally {
    await store.close()
  }
}

/** Whether a reader of the pack lacks text that a handle brings back. */
function hidesText({ manifest }: CompileResult): boolean {
  return manifest.decisions.some(({ rung, handle }) => handle !== undefined && rung !== 'full' && rung !== 'lossless')
}
