import { expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import { findKey } from './find-key.ts'

it('names the tenants where an import has given several of them a key with one id', async () => {
  const store = memoryStore()
  for (const tenant of ['web', 'data']) {
    const key = {
      id: 'key_1',
      tenant,
      name: 'ci',
      hash: `of ${tenant}`,
      prefix: 'phd_abcdef',
      scopes: [],
      createdMs: 0,
      revision: 1,
    }
    await store.commit({ scope: { tenant, session: '' }, nowMs: 0, writes: [{ table: 'keys', key }] })
  }
  await expect(findKey(store, { id: 'key_1' })).rejects.toThrow('tenant: is needed: data, web each have a key key_1')
  expect(await findKey(store, { id: 'key_1', tenant: 'web' })).toEqual({ tenant: 'web', id: 'key_1' })
  await expect(findKey(store, { id: 'key_2' })).rejects.toMatchObject({ code: 'not-found' })
})
