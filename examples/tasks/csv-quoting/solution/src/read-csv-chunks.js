import { csvReader } from './csv-reader.js'

export async function* readCsvChunks(chunks) {
  const reader = csvReader(',')
  for await (const chunk of chunks) yield* reader.push(chunk)
  yield* reader.end()
}
