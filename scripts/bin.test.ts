import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { transformSync } from 'esbuild'
import { afterAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'prehend-bin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command of a package that needs such a Node, and whose other files nobody can read. */
function command(needed: string) {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  mkdirSync(join(folder, 'dist/cli'), { recursive: true })
  copyFileSync(join(root, 'bin/prehend.cjs'), join(folder, 'bin/prehend.cjs'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', engines: { node: needed } }))
  writeFileSync(join(folder, 'dist/cli/main.js'), 'console.log("ran", process.argv.slice(2)) ; process.exitCode = 3')
  return spawnSync(process.execPath, ['bin/prehend.cjs', 'serve'], { cwd: folder, encoding: 'utf8' })
}

const [major = '', minor = ''] = process.versions.node.split('.')

it.each([`>=${Number(major) + 1}.0`, `>=${major}.${Number(minor) + 1}`])(
  'where %s is needed it says so in one line',
  (needed) => {
    const { status, stdout, stderr } = command(needed)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^prehend needs Node [\d.]+ or later, and this is Node [\d.]+: .*\n$/)
  },
)

it.each([`>=${major}.${minor}`, `>=${Number(major) - 1}.99`])('where %s is needed it runs the command', (needed) => {
  expect(command(needed)).toMatchObject({ status: 3, stdout: "ran [ 'serve' ]\n", stderr: '' })
})

it('runs the source of a checkout on any Node, and no build that stands beside it', () => {
  const checkout = join(folder, 'checkout')
  for (const part of ['bin', 'dist/cli', 'scripts']) mkdirSync(join(checkout, part), { recursive: true })
  copyFileSync(join(root, 'bin/prehend.cjs'), join(checkout, 'bin/prehend.cjs'))
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ type: 'module', engines: { node: '>=999.0' } }))
  writeFileSync(join(checkout, 'dist/cli/main.js'), 'console.log("stale")')
  const script = 'console.log(process.argv.slice(1).map((name) => name.split(/[\\\\/]/).at(-1)).join(" "))'
  writeFileSync(join(checkout, 'scripts/bootstrap.mjs'), script)
  const { stdout, stderr } = spawnSync(process.execPath, ['bin/prehend.cjs', 'packs', 'req_1'], {
    cwd: checkout,
    encoding: 'utf8',
  })
  expect([stdout, stderr]).toEqual(['bootstrap.mjs run.ts packs req_1\n', ''])
})

it('runs the command of this checkout from another folder', { timeout: 60_000 }, () => {
  const args = [join(root, 'bin/prehend.cjs'), 'compile', 'missing.json']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  expect(status).toBe(4)
  expect(stderr).toContain('missing.json cannot be read')
})

it('is written so that a Node of ten years ago reads it, and names no module that it lacks', () => {
  const source = readFileSync(join(root, 'bin/prehend.cjs'), 'utf8')
  const plain = source.replaceAll(/import\((.*)\)/g, 'load($1)')
  expect(transformSync(plain, { target: 'node6', minifyWhitespace: true }).code).toBe(
    transformSync(plain, { target: 'esnext', minifyWhitespace: true }).code,
  )
  expect([...new Set(plain.match(/require\(.*?\)/g))]).toEqual([
    "require('path')",
    "require('../package.json')",
    "require('fs')",
  ])
})

it('the package says which Node it needs in the form that it reads', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } }
  expect(engines.node).toMatch(/^>=\d+\.\d+$/)
})
