import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { LiveTask } from './task.ts'

/** A copy of a task's repository, for one run. */
export interface WorkFolder {
  /** The repository. */
  readonly path: string
  /** All that a test may read and write: the repository and a folder for temporary files. */
  readonly around: string
  readonly temporary: string
  /** Puts the hidden tests into `tests/`, in place of whatever is there. */
  addHiddenTests(): void
  remove(): void
}

export function openWorkFolder({ repository, hiddenTests }: LiveTask): WorkFolder {
  // Its real path: what a system calls its temporary folder is a link on some.
  const around = realpathSync(mkdtempSync(join(tmpdir(), 'prehend-live-')))
  const [path, temporary] = [join(around, 'repo'), join(around, 'tmp')]
  cpSync(repository, path, { recursive: true })
  mkdirSync(temporary)
  return {
    path,
    around,
    temporary,
    addHiddenTests() {
      rmSync(join(path, 'tests'), { recursive: true, force: true })
      cpSync(hiddenTests, join(path, 'tests'), { recursive: true })
    },
    remove: () => rmSync(around, { recursive: true, force: true }),
  }
}

/** Where a path of the agent lies; undefined outside its repository, links included. */
export function pathInside(root: string, given: string): string | undefined {
  if (given.includes('\0')) return undefined
  const path = resolve(root, given)
  return isBelow(root, path) && isBelow(root, realPlace(path)) ? path : undefined
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Of a file that is yet to be written, the real place of the folder that is there. */
function realPlace(path: string): string {
  return existsSync(path) ? realpathSync(path) : realPlace(dirname(path))
}
