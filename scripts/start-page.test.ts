import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { servedPage } from './served-page.fixture.ts'
import type { ServedPage } from './served-page.fixture.ts'

const page = readFileSync(join(resolve(import.meta.dirname, '..'), 'docs/start.md'), 'utf8')
const [start = '', ask = '', wrap = '', look = ''] = Array.from(
  page.matchAll(/^```sh\n([\s\S]*?)^```$/gm),
  ([, code = '']) => code.trim(),
)
let served: ServedPage
beforeAll(async () => void (served = await servedPage({ start, program: { name: 'npx', before: 'shift\n' } })))
afterAll(() => served.close())

it('what docs/start.md shows does what it says, command by command', () => {
  expect(JSON.parse(served.run(ask).stdout)).toMatchObject({ object: 'chat.completion' })
  expect(served.run(wrap)).toMatchObject({ status: 0, stdout: expect.stringContaining('ANTHROPIC_BASE_URL') as string })
  const shown = served.run(look)
  expect([shown.status, shown.stderr]).toEqual([0, ''])
  expect(shown.stdout).toMatch(/^session .*own cost.*saved.*why whole$/m)
  expect(shown.stdout).toMatch(/^first .* no-tools$/m)
  expect(shown.stdout).toMatch(/^example-\S+ .* 46 /m)
  expect(shown.stdout).toMatch(/^request .*cost +saved$/m)
})
