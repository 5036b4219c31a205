import { expect, it } from 'vitest'
import { connection } from './connection.ts'
import type { Postgres } from './connection.ts'

/** A driver whose first client answers nothing, and which the test has close late. */
function fakeDriver() {
  const closes: (() => void)[] = []
  let released = 0
  const open = ((_url: string, { onclose }: { onclose(): void }) => {
    const isFirst = closes.push(onclose) === 1
    const answer = () => (isFirst ? new Promise(() => undefined) : Promise.resolve(Object.assign([], { count: 0 })))
    return {
      unsafe: () => Promise.resolve([]),
      reserve: () => Promise.resolve({ unsafe: answer, release: () => void (released += 1) }),
      end: () => Promise.resolve(),
    }
  }) as unknown as Postgres
  return { open, closes, released: () => released }
}

it('a client that was given up, and whose connection closes late, takes nothing from the client after it', async () => {
  const driver = fakeDriver()
  const options = { url: 'postgres://127.0.0.1/prehend', schema: 'prehend', timeoutMs: 10 }
  const { transaction } = connection(driver.open, options)
  await expect(transaction('BEGIN', async () => 'first')).rejects.toThrow('the server does not answer within 15 ms')
  const second = transaction('BEGIN', async ({ ask }) => {
    driver.closes[0]?.()
    return (await ask('SELECT 1')).count
  })
  expect(await second).toBe(0)
  expect(driver.released()).toBe(1)
})

it('a connection that the driver never gives out fails after its time, and the next client is asked', async () => {
  let clients = 0
  const open = (() => {
    clients += 1
    const isFirst = clients === 1
    const answer = () => Promise.resolve(Object.assign([], { count: 0 }))
    const given = { unsafe: answer, release: () => undefined }
    return {
      unsafe: answer,
      reserve: () => (isFirst ? new Promise(() => undefined) : Promise.resolve(given)),
      end: () => Promise.resolve(),
    }
  }) as unknown as Postgres
  const options = { url: 'postgres://127.0.0.1/prehend', schema: 'prehend', timeoutMs: 10 }
  const { transaction } = connection(open, options)
  await expect(transaction('BEGIN', async () => 'first')).rejects.toThrow('the server does not answer within 15 ms')
  expect(await transaction('BEGIN', async () => 'second')).toBe('second')
})
