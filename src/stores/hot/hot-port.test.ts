import { setTimeout } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { PrehendError } from '../../core/index.ts'
import { inProcessHot } from './in-process-hot.ts'
import { hotContract } from '../../testing/index.ts'
import { hotOver, serveHot } from './hot-port.ts'

async function open() {
  let nowMs = 1_000_000
  const served = inProcessHot({ clock: () => nowMs })
  const connected = () => {
    const { port1, port2 } = new MessageChannel()
    serveHot(served, port1)
    return hotOver(port2)
  }
  const advance = async (ms: number): Promise<void> => {
    nowMs += ms
    // What was sent has come.
    await setTimeout(10)
  }
  return { hot: connected(), beside: connected(), advance }
}

describe('hot state over a port', () => {
  it.each(hotContract('over a port', open))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })

  it('failures keep their code and their words; what waits when the port closes is told so', async () => {
    const { port1, port2 } = new MessageChannel()
    const served = inProcessHot()
    const failing = {
      ...served,
      get: () => Promise.reject(new PrehendError('store-failed', 'It is gone. Wait.', { remedy: 'Wait.' })),
    }
    const close = serveHot({ ...failing, put: () => new Promise(() => undefined) }, port1)
    const hot = hotOver(port2)
    await expect(hot.get('a')).rejects.toMatchObject({ code: 'store-failed', message: 'It is gone. Wait.' })
    const waiting = hot.put('a', 'b', 1000)
    close()
    await expect(waiting).rejects.toMatchObject({ code: 'store-failed' })
    await expect(hot.get('a')).rejects.toMatchObject({ code: 'store-failed' })
  })
})
