import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const entry = resolve(import.meta.dirname, 'index.ts')

/** Imports the library and says what that loaded: packages and modules of Node by name, and how many files of ours. */
const program = `
  import { registerHooks } from 'node:module'
  const packages = new Set()
  let files = 0
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('.')) files += 1
      else if (!specifier.startsWith('file:')) packages.add(specifier)
      return next(specifier, context)
    },
  })
  await import(${JSON.stringify(pathToFileURL(entry).href)})
  console.log(JSON.stringify({ packages: [...packages], files }))
`

it('the library loads nothing that serves or sends HTTP, nothing of Node, and no package before it is needed', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(stderr).toBe('')
  const { packages, files } = JSON.parse(stdout) as { packages: string[]; files: number }
  expect(files).toBeGreaterThan(100)
  expect(packages).toEqual([])
})
