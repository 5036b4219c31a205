import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const child = resolve(import.meta.dirname, 'determinism.child.ts')

function run(environment: Readonly<Record<string, string>>, order: 'straight' | 'turned'): string {
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  const { stdout, stderr, status } = spawnSync(process.execPath, [child, order], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

describe('determinism', () => {
  it('N-29, P-027, P-030: the same bytes in processes of other time zones, locales and key orders', () => {
    const first = run({ TZ: 'UTC', LANG: 'C', LC_ALL: 'C' }, 'straight')
    const second = run({ TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }, 'turned')
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(second).toBe(first)
  })
})
