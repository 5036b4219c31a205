// Checks what the tests cite against docs/requirements/*.json, and that docs/requirements.md says so; --fix writes it.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { citationsOf, strayNumbers } from './requirements/citations.ts'
import { findFaults } from './requirements/find-faults.ts'
import { parseCapability } from './requirements/requirement.ts'
import { requirementsPage } from './requirements/requirements-page.ts'

const root = resolve(import.meta.dirname, '..')
const page = resolve(root, 'docs/requirements.md')

const pathsOf = (patterns: readonly string[]): readonly string[] =>
  globSync(patterns, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8')

const capabilities = pathsOf(['docs/requirements/*.json']).map((path) => parseCapability(read(path)))
const filesOf = (patterns: readonly string[], except: readonly string[] = []) => {
  const left = new Set(pathsOf(except))
  return pathsOf(patterns)
    .filter((path) => !left.has(path))
    .map((path) => ({ path, text: read(path) }))
}
// The cases of a published contract are tests that others run too.
const testPatterns = ['src/**/*.test.ts', 'src/testing/**/*-cases.ts', 'bench/**/*.test.ts']
const tests = filesOf(testPatterns)
const code = filesOf(['src/**/*.ts'], testPatterns)
const citations = citationsOf(tests)
const text = requirementsPage(capabilities, citations)

if (process.argv.includes('--fix')) writeFileSync(page, text)
const outdated =
  read('docs/requirements.md') === text
    ? []
    : ['docs/requirements.md is out of date; run: npm run check:requirements -- --fix']
const faults = [...findFaults(capabilities, citations), ...strayNumbers(code), ...outdated]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
