/** What SQL calls a table, or an extension. */
export function rowsName(name: string): string {
  return name.replaceAll('.', '__').replaceAll('-', '_')
}
