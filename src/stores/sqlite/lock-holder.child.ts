// Another program that writes to the database at argv[2]: holds its lock from the first word on until its input ends.
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'

const db = new DatabaseSync(process.argv[2] ?? '', { timeout: 5000 })
db.exec('BEGIN IMMEDIATE')
process.stdout.write('locked\n')
process.stdin.resume()
await once(process.stdin, 'end')
db.exec('ROLLBACK')
db.close()
