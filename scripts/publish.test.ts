import { expect, it } from 'vitest'
import { faultsIn, warningsIn } from './release/publish.ts'

it('a warning of a dry run counts, unless it is that nobody is logged in', () => {
  const stderr = [
    'npm warn publish This command requires you to be logged in to https://registry.npmjs.org/ (dry-run)',
    'npm warn publish npm auto-corrected some errors in your package.json when publishing.',
    'npm notice total files: 3',
  ].join('\n')
  expect(warningsIn(stderr)).toEqual([
    'npm warn publish npm auto-corrected some errors in your package.json when publishing.',
  ])
})

it('tests, fixtures and files that are too large are faults', () => {
  const files = [
    'dist/index.js',
    'examples/tasks/a/tests/b.test.js',
    'dist/a.fixture.js',
    'dist/core/b.test.js',
    'dist/c.js.map',
    'dist/.cache',
  ].map((path) => ({ path, size: 10 }))
  expect(faultsIn({ size: 1, unpackedSize: 1, files: [...files, { path: 'dist/d.json', size: 3_000_000 }] })).toEqual([
    'dist/a.fixture.js is packed',
    'dist/core/b.test.js is packed',
    'dist/c.js.map is packed',
    'dist/.cache is packed',
    'dist/d.json has 3000000 bytes, and 2000000 is the most for a file',
  ])
  expect(faultsIn({ size: 7_000_000, unpackedSize: 1, files: [] })).toEqual([
    'the tarball has 7000000 bytes, and 6000000 is the most',
  ])
})
