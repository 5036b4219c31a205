import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { onFreePort } from './free-port.ts'
import { listening } from './listening.ts'

it.each([false, true])('takes another port where its own is taken, unless that was named: %j', async (isNamed) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const told: string[] = []
  const wanted = { host: '127.0.0.1', port, isNamed }
  const open = (at: number): Promise<number> =>
    listening({ ...wanted, port: at }, async () => {
      const server = createServer().listen(at, '127.0.0.1')
      await once(server, 'listening')
      server.close()
      return at
    })
  const opened = onFreePort(wanted, open, (line) => void told.push(line))
  if (isNamed) await expect(opened).rejects.toThrow(`--port: ${port} is taken by another program`)
  else expect(await opened).toBe(0)
  expect(told).toEqual(
    isNamed ? [] : [`prehend: port ${port} is taken by another program; a free one is used instead\n`],
  )
  other.close()
})
