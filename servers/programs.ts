import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

interface Program {
  readonly name: string
  /** Of Debian. */
  readonly package: string
}

/** What the tests of this folder start. */
export const programs: readonly Program[] = [
  { name: 'redis-server', package: 'redis-server' },
  { name: 'postgres', package: 'postgresql-15' },
  { name: 'initdb', package: 'postgresql-15' },
  { name: 'pg_basebackup', package: 'postgresql-client-15' },
  { name: 'pg_dump', package: 'postgresql-client-15' },
  { name: 'pg_restore', package: 'postgresql-client-15' },
  { name: 'ceph-mon', package: 'ceph-mon' },
  { name: 'ceph-osd', package: 'ceph-osd' },
  { name: 'radosgw', package: 'radosgw' },
  { name: 'radosgw-admin', package: 'ceph-common' },
  { name: 'ceph', package: 'ceph-common' },
  { name: 'monmaptool', package: 'ceph-base' },
]

/** Where a program is; undefined where it is missing. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return [...folders, '/usr/sbin', '/usr/local/sbin', '/usr/lib/postgresql/15/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}
