import { readFileSync } from 'node:fs'
import { report } from './report.js'

const found = report(readFileSync(new URL('../data/access.log', import.meta.url), 'utf8'))
console.log(JSON.stringify(found, null, 2))
