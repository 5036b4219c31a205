import { describe, expect, it } from 'vitest'
import { hotContract } from '../../testing/index.ts'
import { inProcessHot } from './in-process-hot.ts'

async function open() {
  let nowMs = 1_000_000
  const hot = inProcessHot({ clock: () => nowMs })
  const advance = async (ms: number): Promise<void> => void (nowMs += ms)
  return { hot, beside: hot, advance }
}

describe('hot state in one process', () => {
  it.each(hotContract('in process', open))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })

  it('holds so many keys and no more: the oldest make room', async () => {
    const hot = inProcessHot({ mostKeys: 2 })
    for (const key of ['a', 'b', 'c']) await hot.put(key, key, 1000)
    expect(await Promise.all(['a', 'b', 'c'].map((key) => hot.get(key)))).toEqual([undefined, 'b', 'c'])
  })
})
