import type { Item } from '../../core/index.ts'
import { callLines } from '../../ladders/index.ts'
import type { FactReader } from '../../ladders/index.ts'

/** What a reply has named: names by their inner structure, and words that it writes as code. */
export interface NamesOfReply {
  readonly names: ReadonlySet<string>
  readonly words: ReadonlySet<string>
}

/** Of the model's messages among some items. */
export function namesOfReply(items: readonly Item[], facts: FactReader): NamesOfReply {
  const texts = items.filter(({ role }) => role === 'assistant').map(textOf)
  return {
    names: new Set(texts.flatMap((text) => facts.namesIn(text))),
    words: new Set(texts.flatMap(wordsIn)),
  }
}

function textOf({ kind, text }: Item): string {
  return kind === 'tool-call' ? callLines(text).lines.join('\n') : text
}

/** Longer texts are files that are written: they call too many things for any of them to tell. */
const longestText = 4_000

const quoted = /`([^`\n]{3,80})`/g
const word = /[A-Za-z_]\w{3,}/g
const called = /\b([A-Za-z_]\w{3,})\(/g
const defined = /\b(?:def|class|function|fn|func|struct|interface|type) ([A-Za-z_]\w{3,})/g

/** Words between backticks, of calls and of definitions, save for those that stand in any code. */
function wordsIn(text: string): readonly string[] {
  if (text.length > longestText) return []
  const found = [
    ...Array.from(text.matchAll(quoted), ([, code = '']) => code.match(word) ?? []).flat(),
    ...[called, defined].flatMap((form) => Array.from(text.matchAll(form), ([, name = '']) => name)),
  ]
  return found.filter((one) => !common.has(one))
}

const common: ReadonlySet<string> = new Set(
  `self this print import from return None True False null true false class function else with isinstance super list dict
  open read python type object value data name args kwargs test tests const string number export async await`.split(
    /\s+/,
  ),
)
