import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doctorChecks } from './doctor-checks.ts'
import type { DoctorInput } from './doctor-checks.ts'

let data = ''
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'prehend-doctor-'))
})
afterAll(() => rmSync(data, { recursive: true, force: true }))

async function check(name: string, changes: Partial<DoctorInput> = {}) {
  const checks = await doctorChecks({
    options: { data, port: 0 },
    environment: {},
    knownVariables: ['PREHEND_PORT'],
    nowMs: Date.parse('2026-12-01'),
    nodeVersion: 'v24.1.0',
    fetch: () => Promise.reject(new Error('no network in tests')),
    ...changes,
  })
  return checks.filter((one) => one.name === name)
}

describe('doctor', () => {
  it('finds nothing wrong with the defaults', async () => {
    for (const name of ['node', 'prices', 'config', 'store', 'port', 'openai', 'example']) {
      expect(await check(name)).toEqual([expect.objectContaining({ state: 'ok' })])
    }
  })

  it('wants a recent Node', async () => {
    expect(await check('node', { nodeVersion: 'v22.9.0' })).toEqual([expect.objectContaining({ state: 'failed' })])
  })

  it('warns of old prices', async () => {
    const [prices] = await check('prices', { nowMs: Date.parse('2027-06-01') })
    expect(prices).toMatchObject({ state: 'warning', detail: expect.stringContaining('days old') })
  })

  it('warns of variables that nothing reads, and of no others', async () => {
    const found = await check('environment', { environment: { PREHEND_PROT: '1', PREHEND_PORT: '0', HOME: '/' } })
    expect(found).toEqual([expect.objectContaining({ state: 'warning', remedy: 'Did you mean PREHEND_PORT?' })])
  })

  it('says what is wrong with the configuration', async () => {
    const [config] = await check('config', { options: { data, token: ['short'] } })
    expect(config).toMatchObject({ state: 'failed', detail: expect.stringContaining('tokens[0].token') })
    const [open] = await check('config', { options: { data, port: 0, host: '0.0.0.0' } })
    expect(open).toMatchObject({ state: 'failed', detail: expect.stringContaining('no token is set') })
  })

  it('says whether a folder of blobs can be used, and leaves nothing in it', async () => {
    expect(await check('blobs')).toEqual([])
    const blobs = join(data, 'not', 'there')
    expect(await check('blobs', { options: { data, port: 0, blobs } })).toEqual([
      { name: 'blobs', state: 'ok', detail: `the folder ${blobs} answers: a blob was written, read and dropped` },
    ])
    const before = readdirSync(data)
    const [file] = await check('blobs', { options: { data, port: 0, blobs: join(data, 'file', 'below') } })
    expect(file).toMatchObject({ state: 'ok' })
    expect(readdirSync(data)).toEqual(before)
    writeFileSync(join(data, 'file'), '')
    const [below] = await check('blobs', { options: { data, port: 0, blobs: join(data, 'file') } })
    expect(below).toMatchObject({ state: 'failed', detail: expect.stringContaining('cannot be used: ENOTDIR') })
  })

  it('says when a provider does not answer, and never shows a key', async () => {
    const environment = { OPENAI_API_KEY: 'sk-very-secret' }
    const checks = await check('openai', { environment })
    expect(checks).toEqual([expect.objectContaining({ state: 'failed' })])
    expect(JSON.stringify(checks)).not.toContain('secret')
    const answering = await check('openai', {
      environment,
      fetch: () => Promise.resolve(new Response('no', { status: 401 })),
    })
    expect(answering).toEqual([expect.objectContaining({ state: 'ok' })])
  })
})
