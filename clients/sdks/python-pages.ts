import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programsIn, usualUrl } from '../../scripts/page-programs.ts'
import { pythonOf } from '../install-python.ts'
import { runProcess } from '../run-process.ts'

const root = join(import.meta.dirname, '../..')

/** Runs the Python programs of the pages that import an SDK, and gives what did not print what its page says. */
export async function pythonPageProblems(sdk: string, folder: string, url: string): Promise<readonly string[]> {
  const pages = [...globSync('docs/use-with/*.md', { cwd: root }).toSorted(), 'docs/library.md']
  const programs = pages.flatMap((page) => programsIn(join(root, page), 'python').map((each) => ({ page, ...each })))
  const own = programs.filter(({ code }) => code.includes(`from ${sdk} import`))
  if (own.length === 0) return [`no page has a program with ${sdk}`]
  const problems = []
  for (const [index, { page, code, prints }] of own.entries()) {
    const file = join(folder, `page-${index}.py`)
    writeFileSync(file, code.replaceAll(usualUrl, url))
    const env = { PATH: '/usr/bin:/bin', HOME: folder, OPENAI_API_KEY: 'any', ANTHROPIC_API_KEY: 'any' }
    const { code: status, output } = await runProcess(pythonOf(folder), [file], { cwd: folder, timeoutMs: 60_000, env })
    if (status !== 0) problems.push(`${page}: a program ended with ${status}:\n${output.slice(-1500)}`)
    else if (prints !== undefined && output !== prints) problems.push(`${page}: a program printed ${output}`)
  }
  return problems
}
