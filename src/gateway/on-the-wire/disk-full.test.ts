import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import { openaiFixture } from './test-gateway.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-full-'))
afterAll(() => rmSync(folder, { recursive: true }))

const gatewayFile = fileURLToPath(new URL('gateway.child.ts', import.meta.url))

/** A gateway whose files cannot grow beyond that many blocks of 512 bytes. */
async function cramped(blocks: number, providerUrl: string) {
  const limited = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath]
  const path = join(folder, 'full.db')
  const child = spawn('sh', [...limited, gatewayFile, path, providerUrl], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: output.toString().trim(), child }
}

it('where the store cannot grow, requests go on, none promises a receipt that is not there, and readiness says no', async () => {
  const provider = simulatedProvider({ script: () => 'done' })
  const server = await provider.listen()
  const { url, child } = await cramped(1600, server.url)
  const ask = async (session: string): Promise<Response> => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...openaiFixture.headers, 'x-session-id': session },
      body: JSON.stringify(openaiFixture.body(3)),
    })
    expect(await response.text()).toContain('done')
    return response
  }
  const seen = { promised: 0, told: 0 }
  for (let count = 0; count < 400 && seen.told < 10; count += 1) {
    const { headers } = await ask(`s${count}`)
    const packId = headers.get('x-prehend-pack-id')
    if (packId === null) {
      expect(headers.get('x-prehend-skipped')).toBe('store')
      seen.told += 1
    } else {
      expect((await fetch(`${url}/v1/packs/${packId}`)).status).toBe(200)
      seen.promised += 1
    }
  }
  expect(seen).toEqual({ promised: expect.toSatisfy((count: number) => count > 0), told: 10 })
  expect((await fetch(`${url}/health/readiness`)).status).toBe(503)
  child.kill()
  await server.close()
})
