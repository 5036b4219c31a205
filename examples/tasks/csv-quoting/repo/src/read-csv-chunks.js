import { parseCsv } from './parse-csv.js'

export async function* readCsvChunks(chunks) {
  for await (const chunk of chunks) yield* parseCsv(chunk)
}
