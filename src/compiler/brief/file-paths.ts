/** Tells which names mean one file: a path from a folder ends the path from the root. */
export function filePaths(): { named(path: string): string } {
  const byName = new Map<string, string[]>()
  return {
    named(given) {
      const path = plain(given)
      const name = path.slice(path.lastIndexOf('/') + 1)
      const known = byName.get(name) ?? []
      byName.set(name, known)
      const same = known.filter((other) => isEndOf(path, other) || isEndOf(other, path))
      const [one] = same
      if (one !== undefined && same.length === 1) return one
      if (!known.includes(path)) known.push(path)
      return path
    },
  }
}

const longest = 400

function plain(path: string): string {
  const parts: string[] = []
  // eslint-disable-next-line no-control-regex -- a name with breaks would be lines of its own
  for (const part of path
    .slice(0, longest)
    .replaceAll(/[\u0000-\u001f]+/g, ' ')
    .toWellFormed()
    .split('/')) {
    if (part === '.' || (part === '' && parts.length > 0)) continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..' && parts.at(-1) !== '') parts.pop()
    else parts.push(part)
  }
  return parts.join('/')
}

/** A bare name may be that of any folder's file. */
function isEndOf(short: string, long: string): boolean {
  return short === long || (short.includes('/') && long.endsWith(`/${short}`))
}
