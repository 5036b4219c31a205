import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { bundled, inBrowserLike } from './bundle.ts'
import { countedBy } from './counted-by.fixture.ts'

const withVocabularies = `
  import { countedBy } from './counted-by.fixture.ts'
  import { claude } from '../src/tokens/vocabularies/claude.ts'
  import { o200kBase } from '../src/tokens/vocabularies/o200k-base.ts'
  export const counted = countedBy({ vocabularies: [o200kBase, claude] })
`
const withoutVocabularies = `
  import { countedBy } from './counted-by.fixture.ts'
  export const counted = countedBy({})
`
const printing = 'void counted.then((text) => console.log(text))'

const folder = mkdtempSync(join(tmpdir(), 'prehend-bundle-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Where there is neither a checkout nor an installed package. */
function runInNode(name: string, bundle: string): string {
  writeFileSync(join(folder, name), bundle)
  return execFileSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' }).trim()
}

describe('a server in one file', () => {
  it('counts exactly by the vocabularies that it was bundled with', async () => {
    const bundle = await bundled(withVocabularies + printing, { platform: 'node', format: 'esm' })
    expect(runInNode('server.mjs', bundle)).toBe(await countedBy({}))
  })

  it.each([
    ['esm', 'small.mjs'],
    ['cjs', 'small.cjs'],
  ] as const)('without any estimates, and says so: %s', async (format, file) => {
    const bundle = await bundled(withoutVocabularies + printing, { platform: 'node', format })
    // Not even the smallest vocabulary fits beside the library.
    expect(bundle.length).toBeLessThan(2_350_000)
    const counted = runInNode(file, bundle)
    expect(counted).toBe(await countedBy({ tokenizer: 'heuristic' }))
    expect(counted).toMatch(/^\["heuristic\//)
  })
})

describe('a web page', () => {
  const options = { platform: 'browser', format: 'iife', globalName: 'app' } as const

  it('counts, hashes and packs as Node does', async () => {
    const { counted } = inBrowserLike(await bundled(withVocabularies, options))
    expect(await counted).toBe(await countedBy({}))
  })

  it('without a vocabulary estimates as Node does', async () => {
    const { counted } = inBrowserLike(await bundled(withoutVocabularies, options))
    expect(await counted).toBe(await countedBy({ tokenizer: 'heuristic' }))
  })

  it('is told what else to use where a store on disk is asked for', async () => {
    const program = `
      import { sqliteStore } from '../src/index.ts'
      export const opened = (() => { try { return sqliteStore({ path: 'x' }) } catch (error) { return error.message } })()
    `
    const { opened } = inBrowserLike(await bundled(program, options))
    expect(opened).toBe(
      'The store could not open: there is no node:sqlite here. Run on Node 22.13 or later, or use memoryStore().',
    )
  })
})
