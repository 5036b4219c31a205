import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runProcess } from './run-process.ts'

const pinsFile = join(import.meta.dirname, 'python-pins.txt')

interface Wanted {
  /** Of the folder. */
  readonly name: string
  /** Exact versions by name, from PyPI. */
  readonly packages: Readonly<Record<string, string>>
  readonly place: string
  /** Copied beside the environment, to be run there. */
  readonly files: readonly string[]
}

/** Installs packages of Python in a virtual environment of their own, below `place`, unless they are there; gives the folder. */
export async function installPython({ name, packages, place, files }: Wanted): Promise<string> {
  const folder = join(place, name)
  const pins = readFileSync(pinsFile, 'utf8')
  const manifest = JSON.stringify({ packages, pins })
  const stamp = join(folder, '.installed')
  mkdirSync(folder, { recursive: true })
  for (const file of files) copyFileSync(file, join(folder, basename(file)))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === manifest) return folder
  rmSync(join(folder, 'venv'), { recursive: true, force: true })
  const wanted = Object.entries(packages).map(([of, version]) => `${of}==${version}`)
  const install = ['install', '--quiet', '--retries=1', '--only-binary=:all:', `--constraint=${pinsFile}`, ...wanted]
  await run('python3', ['-m', 'venv', 'venv'], folder)
  await run(pythonOf(folder), ['-m', 'pip', ...install], folder)
  writeFileSync(stamp, manifest)
  return folder
}

async function run(program: string, args: readonly string[], folder: string): Promise<void> {
  const started = runProcess(program, args, { cwd: folder, timeoutMs: 180_000 })
  const { code, output } = await started.catch((cause: unknown) => {
    throw new Error(`${program} does not start; install Python 3.9 or later with its module venv`, { cause })
  })
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`)
}

/** The interpreter of a folder that was installed. */
export function pythonOf(folder: string): string {
  return join(folder, 'venv/bin/python')
}
