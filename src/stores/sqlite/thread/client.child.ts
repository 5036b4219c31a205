// A thread that writes to a store which is open in another one: a commit for every word that it is told.
import { parentPort } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { connectedStore } from '../../ports/connected-store.ts'

const { store, attach } = connectedStore()

async function write(word: string): Promise<void> {
  const scope = { tenant: 'acme', session: 'shared' }
  const before =
    (
      await store
        .read('sessions')
        .get(scope)
        .catch(() => undefined)
    )?.version ?? 0
  const outcome = await store
    .commit({ scope, nowMs: 1, expectVersion: before, writes: [{ table: 'sessions', offeredTools: [word] }] })
    .then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
  parentPort?.postMessage(outcome)
}

parentPort?.on('message', (told: MessagePort | string) => {
  if (typeof told === 'string') void write(told)
  else attach(told)
})
