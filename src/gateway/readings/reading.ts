import type { Asked } from '../api/route.ts'
import type { NamedExtension } from '../extensions/load-extensions.ts'

/** What is asked of a route: everything that its answer needs beside the store, as plain data. */
export interface ReadingQuestion {
  /** The route's name. */
  readonly name: string
  readonly asked: Asked
  /** What the serving thread knows and a route needs. */
  readonly given?: unknown
  /** The extensions by which receipts have been compiled, where any have a say in that. */
  readonly extensions?: readonly NamedExtension[]
}

/** Answers what somebody looks at, as bytes: JSON, or the text of what is answered in text. */
export interface ReadingDesk {
  /** Rejects with what the route throws, and with `unavailable` where it takes too long or too many are asked. */
  read(question: ReadingQuestion): Promise<Uint8Array<ArrayBuffer>>
  /** Somebody is about to ask. */
  expect(): void
  close(): void
}
