import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

/** Asks until four requests went on without a record. */
const agent = `
let without = 0
for (let count = 0; count < 400 && without < 4; count += 1) {
  const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'authorization': 'Bearer any', 'x-session-id': 's' + count },
    body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: count + ' word'.repeat(4000) }] }),
  })
  await response.text()
  if (response.headers.get('x-prehend-skipped') === 'store') without += 1
}
`

it('wrap says when requests go on without a record, and at the end how many did', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'prehend-full-'))
  const program = join(folder, 'agent.mjs')
  writeFileSync(program, agent)
  const given = ['src/cli/main.ts', 'wrap', '--simulate', '--data', join(folder, 'data'), 'node', program]
  // Files cannot grow beyond that many blocks of 512 bytes.
  const child = spawn('sh', ['-c', 'ulimit -f 2400; exec "$0" "$@"', process.execPath, ...given], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [told, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  rmSync(folder, { recursive: true, force: true })
  expect([code, told]).toEqual([0, expect.stringMatching(/\d of \d+ requests were forwarded without a record: /)])
  expect(told.match(/requests are forwarded without a record from now on: /g)).toHaveLength(1)
  const [, lost, all, recorded] = /(\d+) of (\d+) requests were .* Of the (\d+) recorded: \$/.exec(told) ?? []
  expect(Number(lost)).toBeGreaterThanOrEqual(4)
  expect(Number(recorded)).toBe(Number(all) - Number(lost))
})
