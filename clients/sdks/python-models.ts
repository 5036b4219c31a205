import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pythonOf } from '../install-python.ts'
import { runProcess } from '../run-process.ts'

/** Has an SDK of Python ask for models of Pydantic, and gives what did not come back as one. */
export async function pythonModelProblems(reader: string, folder: string, url: string): Promise<readonly string[]> {
  const program = join(folder, `${reader}_models.py`)
  if (!existsSync(program)) return [`no program asks ${reader} for models of Pydantic`]
  const env = { PATH: '/usr/bin:/bin', HOME: folder }
  const { code, output } = await runProcess(pythonOf(folder), [program, url], { cwd: folder, timeoutMs: 60_000, env })
  return code === 0 ? [] : [`models of Pydantic: the program ended with ${code}:\n${output.slice(-1500)}`]
}
