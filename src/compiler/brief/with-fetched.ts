import type { FileModel, Row } from './file-model.ts'

const telling = 12
const fewest = 3

/** The file with the lines marked as edited that our tool has fetched: what was needed once is needed again. */
export function withFetched(model: FileModel, text: string, step: number): FileModel {
  const lines = new Set(text.split('\n').filter((line) => line.trim().length >= telling))
  if (lines.size === 0) return model
  let found = 0
  const runs = model.runs.map((run) => ({
    ...run,
    rows: run.rows.map((row): Row => {
      if (!lines.has(row.text)) return row
      found += 1
      return { ...row, edited: step }
    }),
  }))
  return found >= Math.min(fewest, lines.size) ? { ...model, runs, seen: model.seen } : model
}
