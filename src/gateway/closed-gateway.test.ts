import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { collectGarbage } from '../host/index.ts'
import { memoryStore } from '../stores/index.ts'
import { openGateway, parseConfig } from './index.ts'

/** Opens a gateway, asks it once, and closes it; gives a sign of its store, which all that it made reaches. */
async function used(): Promise<WeakRef<object>> {
  const store = memoryStore()
  const gateway = await openGateway(parseConfig({ port: 0 }), { store })
  const body = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] })
  const headers = { 'content-type': 'application/json', 'connection': 'close' }
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
  await answer.text()
  await gateway.close(0)
  await store.close()
  return new WeakRef(store)
}

it('a gateway that is closed is let go, and so is its store', async () => {
  const stores: WeakRef<object>[] = []
  for (let opened = 0; opened < 8; opened += 1) stores.push(await used())
  const held = async (): Promise<number> => {
    await delay(50)
    collectGarbage()
    return stores.filter((store) => store.deref() !== undefined).length
  }
  // One may still stand where the last call has left it.
  await expect.poll(held).toBeLessThanOrEqual(1)
})
