import { expect, it } from 'vitest'
import { parseConfig } from './config.ts'
import type { GatewayConfigInput } from './config.ts'
import { underwayBytes } from './underway-bytes.ts'

const MiB = 1024 * 1024
const given = (limits: NonNullable<GatewayConfigInput['limits']>) => parseConfig({ limits })

it.each([
  ['a sixteenth of the memory', { memory: 4096, heap: 4096 }, 1, 256],
  ['no more than a heap has room for', { memory: 65_536, heap: 4096 }, 1, 512],
  ['more where there are more heaps', { memory: 65_536, heap: 4096 }, 8, 4096],
  ['the same where the thread that serves is the only one', { memory: 65_536, heap: 4096 }, 0, 512],
  ['less where heaps are small', { memory: 65_536, heap: 1024 }, 2, 256],
  ['a few long bodies, however little memory there is', { memory: 256, heap: 256 }, 1, 32],
])('bodies under way may take %s', (_, MiBs, threads, wanted) => {
  const usable = { memory: MiBs.memory * MiB, heap: MiBs.heap * MiB }
  expect(underwayBytes(given({}), threads, usable)).toBe(wanted * MiB)
})

it('or what they are told', () => {
  expect(underwayBytes(given({ underwayBytes: 5000 }), 8)).toBe(5000)
})

it('what there is here is more than nothing', () => {
  expect(underwayBytes(given({}), 1)).toBeGreaterThanOrEqual(32 * MiB)
})
