import { compile, handleKeys, originalsOf } from '../sessions/index.ts'
import { openStore, storeFile } from './store-place.ts'
import type { CompileResult } from '../core/index.ts'
import type { CompileTask } from './compile-input.ts'
import type { Io } from './io.ts'

const tenant = 'default'

/**
 * Compiles what was asked for. What fits without hiding anything is left alone; else it is shown shorter, and the store
 * keeps what its handles stand for.
 */
export async function compileKept(
  { input, body }: CompileTask,
  data: string | undefined,
  io: Io,
): Promise<CompileResult> {
  const mayHide = body !== undefined || input.rehydration === true
  const whole = compile({ ...input, rehydration: false })
  if (whole.outcome.kind === 'ok' || !mayHide) return whole
  const store = await openStore(storeFile(data, io.environment), io)
  try {
    const keyOf = await handleKeys(store)
    const shorter = { ...input, rehydration: true, handleKey: keyOf(tenant) }
    const result = compile(shorter)
    const originals = originalsOf(shorter.items, result.manifest)
    if (originals.length > 0)
      await store.commit({ scope: { tenant, session: 'compile', lane: 'compile' }, nowMs: Date.now(), originals })
    return result
  } finally {
    await store.close()
  }
}
