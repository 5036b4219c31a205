import { describe, expect, it } from 'vitest'
import { memoryStore } from '../stores/index.ts'
import type { Store } from '../stores/index.ts'
import { openSession } from './index.ts'

const say = (role: 'user' | 'assistant', content: string) => ({ role, content })
const talk = (...messages: readonly object[]) => ({ model: 'gpt-4.1', messages })

async function logged(store: Store): Promise<readonly (readonly string[])[]> {
  const turns = await store.read('turns').list('default', 's', { limit: 99 })
  return turns.map(({ items }) => items.map(({ text }) => text))
}

describe('the log of a session', () => {
  it('holds what each request added, also after a restart, and what the client has dropped since', async () => {
    const store = memoryStore()
    const open = () => openSession({ store, id: 's', tenant: 'default', record: 'content' })
    const messages = [say('user', 'one'), say('assistant', 'two'), say('user', 'three')]
    const session = open()
    await session.pack(talk(...messages.slice(0, 1)))
    await session.pack(talk(...messages))
    const restarted = open()
    await restarted.pack(talk(...messages, say('assistant', 'four'), say('user', 'five')))
    expect(await logged(store)).toEqual([['one'], ['two', 'three'], ['four', 'five']])
    await restarted.pack(talk(say('user', 'A summary of all that.'), say('assistant', 'Good.'), say('user', 'six')))
    const all = (await logged(store)).flat()
    for (const text of ['one', 'two', 'three', 'four', 'five', 'A summary of all that.', 'six'])
      expect(all.filter((said) => said === text)).toHaveLength(1)
    const [found] = await store.read('turns').search({ tenant: 'default', session: 's' }, 'three', 1)
    expect(found).toMatchObject({ turn: 2, item: { role: 'user', text: 'three' } })
  })

  it('counts turns and keeps no text where none is recorded', async () => {
    const store = memoryStore()
    await openSession({ store, id: 's', tenant: 'default', record: 'decisions' }).pack(talk(say('user', 'a secret')))
    expect(await logged(store)).toEqual([[]])
  })
})
