import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildInspector } from './build-inspector.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-inspector-'))
let files: readonly { readonly name: string; readonly bytes: Buffer }[]

let licenses: string

beforeAll(async () => {
  await buildInspector(folder)
  licenses = readFileSync(join(folder, 'licenses.md'), 'utf8')
  files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'licenses.md')
    .map(({ parentPath, name }) => ({ name, bytes: readFileSync(join(parentPath, name)) }))
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Of all that a browser loads, compressed; a page of this size is there in a second over a poor line. */
const mostBytes = 150_000

test('the page is small', () => {
  const kinds = new Set(files.map(({ name }) => name.split('.').at(-1)))
  expect(kinds).toEqual(new Set(['css', 'html', 'js', 'svg']))
  expect(files.reduce((sum, { bytes }) => sum + gzipSync(bytes).length, 0)).toBeLessThanOrEqual(mostBytes)
})

/** Names of vocabularies, which nobody asks for anything, and what an error of the router explains itself with. */
const known = /^(?:http:\/\/www\.w3\.org\/|https:\/\/github\.com\/preactjs\/preact-iso#)/

test('no address of another host stands in it', () => {
  const addresses = files.flatMap(
    ({ bytes }) => bytes.toString('utf8').match(/(?:https?:|wss?:)\/\/[^\s"'`\\)<]+/g) ?? [],
  )
  expect(addresses.filter((address) => !known.test(address))).toEqual([])
})

test('the licences of what is bundled stand beside it, and THIRD-PARTY.md lists them', () => {
  const bundled = Array.from(licenses.matchAll(/^## (\S+) - \S+ \((\S+)\)$/gm), ([, name, license]) => [name, license])
  expect(new Set(bundled.map(([name]) => name))).toEqual(new Set(['diff', 'preact', 'preact-iso', 'uplot']))
  expect(licenses.match(/^(?:>\s*)?.*Copyright \(c\)/gim)).toHaveLength(bundled.length)
  const page = readFileSync('THIRD-PARTY.md', 'utf8')
  for (const [name, license] of bundled) expect(page).toMatch(new RegExp(`^\\| \\[${name}\\].*\\| ${license} \\|`, 'm'))
})
