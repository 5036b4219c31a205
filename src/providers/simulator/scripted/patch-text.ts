/** A patch that adds a file, as tools named `apply_patch` take it. */
export function addingPatch(path: string, content: string): string {
  const added = linesOf(content).map((line) => `+${line}`)
  return patched(`*** Add File: ${path}`, added)
}

/** A patch that replaces lines. Undefined where both texts are not whole lines: a patch has nothing smaller. */
export function updatingPatch(path: string, find: string, replace: string): string | undefined {
  if (!find.endsWith('\n') || !replace.endsWith('\n')) return undefined
  const removed = linesOf(find).map((line) => `-${line}`)
  const added = linesOf(replace).map((line) => `+${line}`)
  return patched(`*** Update File: ${path}`, ['@@', ...removed, ...added])
}

function patched(head: string, lines: readonly string[]): string {
  return ['*** Begin Patch', head, ...lines, '*** End Patch'].join('\n')
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n')
}
