import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import type { Gateway } from '../index.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-page-'))
const config = parseConfig({ port: 0 })
let gateway: Gateway

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>page</title>')
  writeFileSync(join(folder, 'assets/main-1a.js'), 'document.title = "run"')
  writeFileSync(join(folder, 'secret.key'), 'not of the page')
  gateway = await openGateway(config, { store: memoryStore(), inspector: folder })
})

afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(gateway.url + path, { headers, redirect: 'manual' })

describe('the page', () => {
  test('is where a browser looks first', async () => {
    const response = await get('/')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/inspector/'])
  })

  test('answers every address of its own with the same text, and what it loads by its name', async () => {
    for (const path of [
      '/inspector',
      '/inspector/',
      '/inspector/sessions/a%2Fb',
      '/inspector/requests/req_1?tab=budget',
    ])
      expect(await (await get(path)).text()).toContain('<title>page</title>')
    const script = await get('/inspector/assets/main-1a.js')
    expect(script.headers.get('content-type')).toContain('text/javascript')
    expect(script.headers.get('cache-control')).toContain('immutable')
    expect(await script.text()).toBe('document.title = "run"')
  })

  test('gives nothing but what belongs to it', async () => {
    expect((await get('/inspector/assets/other.js')).status).toBe(404)
    for (const path of ['/inspector/secret.key', '/inspector/..%2f..%2fetc/passwd', '/inspector/%2e%2e/secret.key'])
      expect(await (await get(path)).text()).not.toContain('not of the page')
  })

  test('runs no code but its own, asks no other host, and stands in no other page', async () => {
    const { headers } = await get('/inspector/')
    const rules = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
        const [name = '', ...values] = rule.split(' ')
        return [name, values.join(' ')]
      }),
    )
    expect(rules.get('default-src')).toBe("'none'")
    for (const name of ['script-src', 'style-src', 'connect-src']) expect(rules.get(name)).toBe("'self'")
    expect(rules.get('frame-ancestors')).toBe("'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('is served to this machine by its own name alone, as everything is', async () => {
    const { request } = await import('node:http')
    const status = await new Promise<number | undefined>((done) => {
      request(`${gateway.url}/inspector/`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume()
        done(response.statusCode)
      }).end()
    })
    expect(status).toBeGreaterThanOrEqual(400)
  })
})

test('a folder without a page is refused by name', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'prehend-no-page-'))
  await expect(openGateway(config, { store: memoryStore(), inspector: empty })).rejects.toMatchObject({
    code: 'invalid-input',
    data: { field: 'inspector' },
  })
  rmSync(empty, { recursive: true })
})
