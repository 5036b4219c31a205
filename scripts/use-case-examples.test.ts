import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { printedBy } from './printed-by.fixture.ts'
import { copyUseCases, useCaseNames, useCases } from './use-cases.fixture.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(root, '.doc-examples-'))
beforeAll(() => copyUseCases(folder))
afterAll(() => rmSync(folder, { recursive: true }))

it('there are six of them, and the list names each', () => {
  expect(useCaseNames).toHaveLength(6)
  const list = readFileSync(join(useCases, 'README.md'), 'utf8')
  for (const name of useCaseNames) expect(list).toContain(`(${name}/README.md)`)
})

it.each(useCaseNames)('%s prints what its README says', async (name) => {
  const page = readFileSync(join(useCases, name, 'README.md'), 'utf8')
  const [, prints] = /^```text\n([\s\S]*?)^```$/m.exec(page) ?? []
  expect(await printedBy(join(folder, name, 'main.ts'))).toBe(prints)
})
