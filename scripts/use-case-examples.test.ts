import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyUseCases, useCaseNames, useCases } from './use-cases.fixture.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(root, '.doc-examples-'))
beforeAll(() => copyUseCases(folder))
afterAll(() => rmSync(folder, { recursive: true }))

function run(file: string): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [file], { cwd: root })
    let [printed, complained] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => void (printed += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => void (complained += chunk.toString()))
    child.on('error', failed)
    child.on('close', (code) => (code === 0 ? done(printed) : failed(new Error(`${code}: ${complained}`))))
  })
}

it('there are six of them, and the list names each', () => {
  expect(useCaseNames).toHaveLength(6)
  const list = readFileSync(join(useCases, 'README.md'), 'utf8')
  for (const name of useCaseNames) expect(list).toContain(`(${name}/README.md)`)
})

it.each(useCaseNames)('%s prints what its README says', async (name) => {
  const page = readFileSync(join(useCases, name, 'README.md'), 'utf8')
  const [, prints] = /^```text\n([\s\S]*?)^```$/m.exec(page) ?? []
  expect(await run(join(folder, name, 'main.ts'))).toBe(prints)
})
