/** Files and ids: what a reader would look up, and what a model makes up most easily. */
export function namesIn(said: string): readonly string[] {
  const files = said.match(
    /(?:[\w@~.-]+)?(?:\/[\w@.-]+)+|\b[\w-]+\.(?:[jt]sx?|py|go|rs|java|rb|c|h|cpp|md|json|ya?ml|toml|sql|sh|txt|csv|html|css)\b/g,
  )
  const ids = said.match(/\b(?=[\w-]*\d)(?=[\w-]*[a-zA-Z])[\w-]{6,}\b|\b\d{4,}\b|#\d+\b/g)
  return [...(files ?? []), ...(ids ?? [])].map((name) => name.replace(/[.,]+$/, ''))
}
