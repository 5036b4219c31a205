import { scanJson } from './scan-json.ts'

/** The value of a JSON text. Throws `invalid-json` with the place where it stops being JSON, which the platform's parser does not always tell. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    scanJson(text)
    throw error
  }
}
