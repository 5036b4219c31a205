import { describe, expect, it } from 'vitest'
import { passagesContract } from '../../testing/index.ts'
import { memoryPassages } from './memory-passages.ts'

describe('passages', () => {
  it.each(passagesContract('memory', async () => memoryPassages()))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})
