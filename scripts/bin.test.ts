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

it('is written so that a Node of ten years ago reads it, and names no module that it lacks', () => {
  const source = readFileSync(join(root, 'bin/prehend.cjs'), 'utf8')
  const plain = source.replace(/import\((.*)\)/, 'load($1)')
  expect(transformSync(plain, { target: 'node6', minifyWhitespace: true }).code).toBe(
    transformSync(plain, { target: 'esnext', minifyWhitespace: true }).code,
  )
  expect(plain.match(/require\(.*?\)/g)).toEqual(["require('../package.json')"])
})

it('the package says which Node it needs in the form that it reads', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } }
  expect(engines.node).toMatch(/^>=\d+\.\d+$/)
})
