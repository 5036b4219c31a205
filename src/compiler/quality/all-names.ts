import { namesIn } from '../../ladders/index.ts'

const numberForm = /\d[\d.,:]{2,40}/g

/** Identifiers, paths and figures of a text, each once. */
export function allNames(text: string): readonly string[] {
  const names = new Set<string>()
  for (const line of text.split('\n')) {
    for (const name of namesIn(line)) names.add(name)
    for (const [figure] of line.matchAll(numberForm)) names.add(figure.replace(/[.,:]+$/, ''))
  }
  return [...names]
}
