import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { tellRest } from './rest.ts'

async function heapOf(thread: Worker): Promise<number> {
  thread.postMessage('how large?')
  const [bytes] = (await once(thread, 'message')) as [number]
  return bytes
}

it('a thread gives back what nobody has any more once it hears that its process rests', async () => {
  const thread = new Worker(new URL('rest.child.ts', import.meta.url))
  try {
    await once(thread, 'message')
    const before = await heapOf(thread)
    expect(await heapOf(thread)).toBeGreaterThan(0.9 * before)
    tellRest()
    await expect.poll(async () => heapOf(thread), { timeout: 10_000 }).toBeLessThan(0.5 * before)
  } finally {
    await thread.terminate()
  }
})

it('whoever listens for that keeps no process', async () => {
  const rest = JSON.stringify(new URL('rest.ts', import.meta.url))
  const thread = new Worker(`import(${rest}).then(({ collectAtRest }) => collectAtRest())`, { eval: true })
  expect(await once(thread, 'exit')).toEqual([0])
})
