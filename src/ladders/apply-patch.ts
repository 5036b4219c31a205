import type { FileAct } from './file-act.ts'

/** Reads patches of `apply_patch` and unified diffs as what they do to files, in order. */
export function patchActs(text: string): readonly FileAct[] {
  const acts: FileAct[] = []
  let path: string | undefined
  let added: string[] | undefined
  let hunk: Hunk = emptyHunk()
  const endHunk = (): void => {
    if (path !== undefined && hunk.changes) {
      acts.push({ kind: 'edit', path, old: hunk.old.join('\n'), text: hunk.text.join('\n'), every: false })
    }
    hunk = emptyHunk()
  }
  const endFile = (): void => {
    endHunk()
    if (path !== undefined && added !== undefined) acts.push({ kind: 'write', path, text: `${added.join('\n')}\n` })
    path = undefined
    added = undefined
  }
  for (const line of text.split('\n')) {
    const [, verb, named = ''] = heading.exec(line) ?? []
    const [, moved] = /^\*\*\* Move to: (.+)$/.exec(line) ?? []
    const [, diffed] = /^\+\+\+ (?:b\/)?(\S+)/.exec(line) ?? []
    if (verb !== undefined) {
      endFile()
      if (verb === 'Delete') acts.push({ kind: 'remove', path: named.trim() })
      else path = named.trim()
      if (verb === 'Add') added = []
    } else if (moved !== undefined && path !== undefined) {
      acts.push({ kind: 'move', path, to: moved.trim() })
      path = moved.trim()
    } else if (diffed !== undefined && !line.startsWith('+++ /dev/null')) {
      endFile()
      path = diffed
    } else if (/^(?:@@|diff |--- |\*\*\* End)/.test(line)) endHunk()
    else if (added !== undefined) added.push(line.slice(1))
    else take(hunk, line)
  }
  endFile()
  return acts
}

const heading = /^\*\*\* (Update|Add|Delete) File: (.+)$/

interface Hunk {
  readonly old: string[]
  readonly text: string[]
  changes: boolean
}

function emptyHunk(): Hunk {
  return { old: [], text: [], changes: false }
}

function take(hunk: Hunk, line: string): void {
  const sign = line.charAt(0)
  if (sign === '\\') return
  if (sign !== '+') hunk.old.push(line.slice(1))
  if (sign !== '-') hunk.text.push(line.slice(1))
  if (sign === '+' || sign === '-') hunk.changes = true
}
