import { expect, it } from 'vitest'
import { parseConfig } from './config.ts'
import type { GatewayConfigInput } from './config.ts'
import { underwayBytes } from './underway-bytes.ts'

const MiB = 1024 * 1024
const given = (limits: NonNullable<GatewayConfigInput['limits']>, threads = 1) => parseConfig({ threads, limits })

it.each([
  ['a sixteenth of the memory', 4096, 1, 256],
  ['no more than heaps have room for', 65_536, 1, 512],
  ['more where there are more heaps', 65_536, 8, 4096],
  ['the same where the thread that serves is the only one', 65_536, 0, 512],
  ['a few long bodies, however little memory there is', 256, 1, 32],
])('bodies under way may take %s', (_, memoryMiB, threads, MiBs) => {
  expect(underwayBytes(given({}, threads), memoryMiB * MiB)).toBe(MiBs * MiB)
})

it('or what they are told', () => {
  expect(underwayBytes(given({ underwayBytes: 5000 }), 65_536 * MiB)).toBe(5000)
})

it('what is usable here is more than nothing', () => {
  expect(underwayBytes(given({}))).toBeGreaterThanOrEqual(32 * MiB)
})
