import { keyedTable } from '../keyed-table.ts'

/**
 * Which tenant an object of a provider was made for, by upstream and id: values of the installation, since the question is whose
 * an object is.
 */
export const objectOwnersTable = keyedTable<string>()({
  name: 'object-owners',
  stands: 'first',
  of: 'owner',
  moves: `
    INSERT OR IGNORE INTO object_owners (tenant, key, value, written_ms)
      SELECT '', substr(name, 8), json_quote(value ->> '$.tenant'), value ->> '$.usedMs' FROM settings
      WHERE name >= 'object ' AND name < 'object!' AND json_valid(value) AND value ->> '$.tenant' IS NOT NULL;
    DELETE FROM settings WHERE name >= 'object ' AND name < 'object!';
  `,
})

/** The key of an object. */
export function objectKey(upstream: string, id: string): string {
  return `${upstream} ${id}`
}
