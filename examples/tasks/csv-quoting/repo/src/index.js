export { parseCsv } from './parse-csv.js'
export { writeCsv } from './write-csv.js'
export { readCsvChunks } from './read-csv-chunks.js'
export { importContacts } from './import-contacts.js'
