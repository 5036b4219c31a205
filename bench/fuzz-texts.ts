import type { Chances } from './seeded-random.ts'

/** What a text is made by. */
interface Making extends Chances {
  many<Value>(this: void, limit: number, make: () => Value): Value[]
  sentence(this: void): string
}

/** That a marker of a generated text may name. */
export const handle = '482915037114'

/** Words of generated texts. */
export const words: readonly string[] = [
  'alpha',
  'true',
  'null',
  ']',
  '[(',
  '-1',
  'getUser',
  'src/main.ts',
  'user_id',
  'Error',
  'failed',
  'the',
  'is',
  '12',
  '0x7f3a',
  'naïve',
  '日本語',
  '🤖',
  '\ud83d',
  '\udc00',
  '\u2028',
  '\u0000',
  '\u001b[31m',
  'e\u0301',
  '"',
  '\\',
  '`',
  '<b>',
  ']]>',
  '\t',
  '   ',
]
const failures = [
  'Traceback (most recent call last):',
  'ValueError: nope',
  'FAILED tests/a.py::test_b',
  'src/a.ts(1,2): error TS2304: x',
  'npm ERR! code 1',
  'fatal: bad object',
  'make: *** [all] Error 2',
  '<returncode>1</returncode>',
]
const markers = [
  `[lines 3-9 folded: rehydrate("${handle}", "3-9")]`,
  `[3-9 folded: ${handle}]`,
  '[+18 lines as in step 1: rehydrate("0123456789ab", "4-21")]',
  '[folded: rehydrate("x")]',
  '[Tool: bash - ok, 3 tokens, step 1]',
]

function jsonValue(making: Making, depth: number): unknown {
  const { random, upTo, pick, many, sentence } = making
  const next = (deeper: number): unknown => jsonValue(making, depth + deeper)
  const kind = upTo(depth > 3 ? 5 : 8)
  if (kind === 0) return null
  if (kind === 1) return random() * 10 ** upTo(20)
  if (kind === 2) return random() < 0.5
  if (kind < 5) return sentence()
  if (kind === 5) return many(6, () => next(1))
  if (kind === 6) return Object.fromEntries(many(6, () => [pick(words), next(1)]))
  const keys = many(5, () => pick(words))
  return many(12, () => Object.fromEntries(keys.filter(() => random() < 0.9).map((key) => [key, next(3)])))
}

const makers: readonly ((making: Making) => string)[] = [
  () => '',
  ({ upTo }) => '\n'.repeat(upTo(300)),
  ({ upTo, pick }) =>
    pick(['x', ' ', '\\', '"', '🤖', '\ud83d', String.raw`\n`, 'error ', '[', '{"a":', '<a>']).repeat(upTo(3000)),
  (making) => {
    const { pick } = making
    return JSON.stringify(jsonValue(making, 0), null, pick([0, 2, '\t'])) ?? ''
  },
  ({ random, many, sentence }) =>
    JSON.stringify(
      { content: [{ type: 'text', text: many(80, sentence).join('\n') }], isError: random() < 0.3 },
      null,
      2,
    ),
  (making) => {
    const { upTo } = making
    return JSON.stringify(jsonValue(making, 0) ?? '').slice(upTo(20))
  },
  ({ pick, many, sentence }) =>
    many(120, () => `${pick(['def', 'class', '    return', '        x =', '#', 'import'])} ${sentence()}`).join('\n'),
  ({ upTo, pick, many, sentence }) => many(120, () => `src/${pick(words)}.ts:${upTo(900)}:${sentence()}`).join('\n'),
  ({ upTo, pick, many, sentence }) => many(120, () => `${upTo(900)}${pick([':', '-', '\t'])}${sentence()}`).join('\n'),
  ({ upTo, pick, many, sentence }) =>
    many(120, () => `2024-05-01 10:00:${upTo(60)} ${pick(['INFO', 'WARN', 'ERROR'])} ${sentence()}`).join('\n'),
  ({ pick, many, sentence }) =>
    `diff --git a/x b/x\n@@ -1,9 +1,9 @@\n${many(60, () => pick(['+', '-', ' ']) + sentence()).join('\n')}`,
  ({ upTo, many, sentence }) => many(60, () => `| ${sentence()} | ${upTo(9)} |`).join('\n'),
  ({ pick, many, sentence }) =>
    `<html>${many(40, () => `<p class="${pick(words)}">${sentence()}</p>`).join(pick(['', '\n']))}`,
  ({ upTo, many }) => many(60, () => `Downloading ${upTo(100)}%`).join('\r'),
  ({ pick, many, sentence }) => many(60, sentence).join(pick(['\n', '\r\n', '\n\n', '\r'])),
  ({ pick, many }) => many(40, () => pick(markers)).join('\n'),
  ({ many, sentence }) => `\`\`\`ts\n${many(60, sentence).join('\n')}\n\`\`\`\nYou must keep this.`,
  ({ pick, many, sentence }) =>
    JSON.stringify(
      {
        type: 'function',
        function: {
          name: pick(words),
          description: sentence(),
          parameters: {
            type: 'object',
            properties: Object.fromEntries(
              many(5, () => [pick(words), { type: 'string', description: sentence(), title: pick(words) }]),
            ),
            required: [pick(words)],
          },
        },
      },
      null,
      pick([0, 2]),
    ),
]

/** Makes texts of every kind, sometimes with failures and markers of ours strewn in, sometimes in a harness's envelope. */
export function textMaker(chances: Chances): () => string {
  const { random, upTo, pick } = chances
  const many = <Value>(limit: number, make: () => Value): Value[] => Array.from({ length: upTo(limit) + 1 }, make)
  const sentence = (): string => many(14, () => pick(words)).join(pick([' ', ' ', ',', '']))
  const making: Making = { ...chances, many, sentence }
  return () => {
    const base = pick(makers)(making)
    const lines = base.split('\n')
    if (random() < 0.3) lines.splice(upTo(lines.length), 0, pick(failures))
    if (random() < 0.1) lines.splice(upTo(lines.length), 0, pick(markers))
    const joined = lines.join('\n')
    return random() < 0.2 ? `<returncode>${pick([0, 1, 127])}</returncode>\n<output>\n${joined}\n</output>` : joined
  }
}
