/** A line of a session in which every line names the one before it. */
export interface TreeLine {
  readonly id: string
  readonly parent: string | undefined
}

/**
 * The conversations of a tree, the longest-lived one first: each from its beginning to a line that none follows. A line
 * that one of the conversations before has reached is no end of its own.
 */
export function branchesOf<Line extends TreeLine>(
  lines: readonly Line[],
  widened: (path: readonly Line[]) => readonly Line[] = (path) => path,
): readonly (readonly Line[])[] {
  const byId = new Map(lines.map((line) => [line.id, line]))
  const parents = new Set(lines.map(({ parent }) => parent))
  const covered = new Set<string>()
  const branches: (readonly Line[])[] = []
  for (const end of lines.filter(({ id }) => !parents.has(id)).toReversed()) {
    if (covered.has(end.id)) continue
    const branch = widened(pathTo(end, byId))
    for (const { id } of branch) covered.add(id)
    branches.push(branch)
  }
  return branches
}

function pathTo<Line extends TreeLine>(end: Line, byId: ReadonlyMap<string, Line>): readonly Line[] {
  const path: Line[] = []
  const seen = new Set<string>()
  for (let line: Line | undefined = end; line !== undefined && !seen.has(line.id);) {
    seen.add(line.id)
    path.unshift(line)
    line = line.parent === undefined ? undefined : byId.get(line.parent)
  }
  return path
}
