const busyCode = 5

/** Primary codes of SQLite that say something of the database or its disk, and nothing of the statement. */
const databaseCodes: ReadonlySet<number> = new Set([
  busyCode,
  6, // locked
  7, // no memory
  8, // read-only
  10, // disk I/O error
  11, // corrupt
  13, // full
  14, // cannot be opened
  15, // locking protocol
  26, // not a database
])

function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return Number(error.errcode) & 0xff
}

/** Somebody else is writing. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === busyCode
}

/** Whether all writes would fail so, whatever is written. */
export function isOfDatabase(error: unknown): boolean {
  return databaseCodes.has(primaryCode(error) ?? -1)
}
