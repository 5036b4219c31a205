import { readFileSync } from 'node:fs'
import { chancesOf } from './seeded-random.ts'
import { tables } from './table-texts.ts'
import { made, repeated, rows } from './text-rows.ts'
import type { Row, TextKind } from './text-rows.ts'

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const two = (value: number): string => String(value % 60).padStart(2, '0')
const time = (at: number): string => `2026-11-23T10:${two(Math.floor(at / 60))}:${two(at)}Z`
const letters = ({ upTo }: Row, count: number): string => Array.from({ length: count }, () => base64[upTo(64)]).join('')
const record = ({ at, word, number, sentence }: Row): object => ({
  id: at,
  name: word(),
  state: word(),
  amount: number(),
  note: sentence(),
})

const log = rows('log', (row) => `${time(row.at)} INFO ${row.word()} ${row.word()} in ${row.number()} ms\n`)
const prose = rows('prose', ({ sentence }) => `${sentence()} ${sentence()}\n\n`)
const arrayOfObjects = rows('JSON, list of objects', (row) => `${JSON.stringify(record(row))},`, '[', '{}]')
const program = rows(
  'program',
  ({ at, word, number }) =>
    `export function ${word()}${at}(${word()}: number): number {\n  const value = ${number()}\n  if (value > 3) {\n    return ${word()}(value)\n  }\n  return value\n}\n\n`,
)

const structures: readonly TextKind[] = [
  arrayOfObjects,
  made('JSON, pretty', arrayOfObjects, (text) => JSON.stringify(JSON.parse(text), undefined, 2)),
  rows('JSON, lines', (row) => `${JSON.stringify(record(row))}\n`),
  rows('JSON, list of numbers', ({ number }) => `${number()},`, '[', '0]'),
  rows('JSON, list of numbers, pretty', ({ number }) => `  ${number()},\n`, '[\n', '  0\n]'),
  rows('JSON, list of strings', ({ sentence }) => `${JSON.stringify(sentence())},`, '[', '""]'),
  rows('JSON, list of lists', ({ at, word, number }) => `[${at},"${word()}",${number()}],`, '[', '[]]'),
  rows('JSON, one object of many names', ({ at, number }) => `"key${at}":${number()},`, '{', '"z":0}'),
  rows('JSON, objects of objects', ({ at, word }) => `"k${at}":{"a":{"b":{"c":"${word()}"}}},`, '{', '"z":0}'),
  rows('JSON, list of empty objects', () => '{},', '[', '{}]'),
  rows('JSON, cut', (row) => `${JSON.stringify(record(row))},`, '['),
  made('JSON, string of a log', log, (text) => JSON.stringify(text)),
  made('JSON, object with a log', log, (text) => JSON.stringify({ ok: true, output: text })),
  made('JSON, content of a tool', prose, (text) => JSON.stringify({ content: [{ type: 'text', text }] })),
  made('JSON in JSON', arrayOfObjects, (text) => JSON.stringify({ body: text })),
  rows('JSON5', ({ at, word }) => `  key${at}: '${word()}', // ${word()}\n`, '{\n', '}'),
  rows(
    'YAML',
    ({ at, word, number }) => `item${at}:\n  name: ${word()}\n  size: ${number()}\n  tags:\n    - ${word()}\n`,
  ),
  rows('YAML, flat', ({ at, word }) => `key_${at}: ${word()}\n`),
  rows('TOML', ({ at, word, number }) => `[part.${word()}${at}]\nname = "${word()}"\nsize = ${number()}\n\n`),
  rows('ini', ({ at, word }) => `key${at} = ${word()}\n`, '[main]\n'),
  rows('environment', ({ at, word }) => `VARIABLE_${at}=${word()}\n`),
  rows('properties', ({ at, word, number }) => `app.${word()}.${at}=${number()}\n`),
  rows('XML', ({ at, word }) => `<row id="${at}"><name>${word()}</name></row>\n`, '<rows>\n', '</rows>'),
  rows('XML, one line', ({ at, word }) => `<row id="${at}"><name>${word()}</name></row>`, '<rows>', '</rows>'),
  rows('HTML', ({ sentence, word }) => `<div class="${word()}"><p>${sentence()}</p></div>\n`, '<html><body>\n'),
  rows('HTML, one line', ({ sentence, word }) => `<div class="${word()}"><p>${sentence()}</p></div>`, '<html><body>'),
  rows('SVG path', ({ number }) => `L ${number() / 100} ${number() / 100} `, '<svg><path d="', '"/></svg>'),
]

const outputs: readonly TextKind[] = [
  log,
  rows(
    'log with errors',
    ({ at, word, number, chance }) =>
      `${time(at)} ${chance(0.1) ? 'ERROR' : 'INFO'} ${word()}: ${word()} ${number()}\n`,
  ),
  rows('log, all errors', ({ at, word }) => `${time(at)} ERROR failed to ${word()} ${word()}\n`),
  rows(
    'log with stacks',
    ({ at, word }) =>
      `${time(at)} ERROR ${word()} failed\n    at ${word()} (src/${word()}.ts:${at}:5)\n    at ${word()} (src/${word()}.ts:${at}:9)\n`,
  ),
  rows(
    'log of an HTTP server',
    ({ at, word, number, upTo }) =>
      `10.0.0.${upTo(255)} - - [23/Nov/2026:10:00:${two(at)} +0000] "GET /${word()}/${number()} HTTP/1.1" 200 ${number()} "-" "curl/8"\n`,
  ),
  rows(
    'log, syslog',
    ({ at, word, number }) => `Nov 23 10:00:${two(at)} host ${word()}[${number()}]: ${word()} ${word()}\n`,
  ),
  rows(
    'log, logfmt',
    ({ at, word, number }) => `ts=${time(at)} level=info msg="${word()} ${word()}" took=${number()}ms\n`,
  ),
  rows('log in colours', ({ at, word }) => `\u001b[32m${time(at)}\u001b[0m \u001b[1m${word()}\u001b[0m ${word()}\n`),
  rows('progress by returns', ({ at }) => `Downloading ${at % 100}%\r`),
  rows('progress bars', ({ at }) => `[${'='.repeat(at % 40).padEnd(40)}] ${at}/10000\n`),
  rows(
    'tests, pytest',
    ({ at, word, chance }) => `tests/test_${word()}.py::test_${word()}_${at} ${chance(0.02) ? 'FAILED' : 'PASSED'}\n`,
  ),
  rows(
    'tests, vitest',
    ({ at, word, chance }) => ` ${chance(0.02) ? '✗' : '✓'} src/${word()}.test.ts > ${word()} ${at} ${at % 90}ms\n`,
  ),
  rows('tests, TAP', ({ at, word, chance }) => `${chance(0.02) ? 'not ok' : 'ok'} ${at} - ${word()} ${word()}\n`),
  rows('tests, go', ({ at, word }) => `=== RUN   Test${word()}${at}\n--- PASS: Test${word()}${at} (0.00s)\n`),
  rows('compiler errors', ({ at, word }) => `src/${word()}.ts(${at},5): error TS2304: Cannot find name '${word()}'.\n`),
  rows(
    'compiler warnings',
    ({ at, word }) => `src/${word()}.c:${at}:5: warning: unused variable '${word()}' [-Wunused]\n`,
  ),
  rows('linter', ({ at, word }) => `  ${at}:5  error  '${word()}' is not defined  no-undef\n`),
  rows(
    'tracebacks',
    ({ at, word }) =>
      `Traceback (most recent call last):\n  File "${word()}.py", line ${at}, in ${word()}\n    ${word()}()\nValueError: ${word()}\n`,
  ),
  rows('search results', ({ at, word }) => `src/${word()}.ts:${at}: const ${word()} = ${word()}()\n`),
  rows('a:1:b', ({ at }) => `a:${at}:b\n`),
  rows('numbered lines', ({ at, word }) => `${String(at + 1).padStart(6)}\t  const ${word()} = ${word()}()\n`),
  rows('paths', ({ at, word }) => `./src/${word()}/${word()}/${word()}${at}.ts\n`),
  rows(
    'ls -l',
    ({ at, word, number }) => `-rw-r--r-- 1 root root ${String(number()).padStart(8)} Nov 23 10:00 ${word()}${at}.ts\n`,
  ),
  rows(
    'git log',
    ({ at, word, sentence }) =>
      `commit ${String(at).padStart(40, '0')}\nAuthor: ${word()} <a@b.example>\nDate:   Mon Nov 23 10:00:00 2026\n\n    ${sentence()}\n\n`,
  ),
  rows('git status', ({ at, word }) => ` M src/${word()}/${word()}${at}.ts\n`),
  rows(
    'git blame',
    ({ at, word }) =>
      `^${String(at % 999).padStart(8, 'a')} (${word()} 2026-11-23 10:00:00 +0000 ${at}) const ${word()} = 1\n`,
  ),
  rows(
    'diff',
    ({ at, word, pick }) => `${pick(['+', '-', ' '])}  const ${word()}${at} = ${word()}()\n`,
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n',
  ),
  rows('diff of one letter lines', ({ at }) => `${at % 2 ? '+' : '-'}x\n`, 'diff --git a/x b/x\n@@ -1,9 +1,9 @@\n'),
  rows(
    'diff of many files',
    ({ at, word }) =>
      `diff --git a/${word()}${at} b/${word()}${at}\n@@ -1,2 +1,2 @@\n-${word()}\n+${word()}\n ${word()}\n`,
  ),
  rows('listing of packages', ({ at, word }) => `├── ${word()}@${at % 9}.${at % 7}.${at}\n`),
  rows('tree', ({ at, word }) => `${'│   '.repeat(at % 5)}├── ${word()}${at}.ts\n`),
  rows(
    'hex dump',
    (row) =>
      `${row.at.toString(16).padStart(8, '0')}: ${Array.from({ length: 8 }, () => row.upTo(65_536).toString(16).padStart(4, '0')).join(' ')}  ................\n`,
  ),
  rows('SQL inserts', ({ at, word, number }) => `INSERT INTO ${word()} VALUES (${at}, '${word()}', ${number()});\n`),
  rows(
    'mail',
    ({ sentence, word }) => `> ${sentence()}\n> ${word()}\n\n${sentence()}\n`,
    'From: a@b.example\nTo: c@d.example\nSubject: it\n\n',
  ),
  rows('chat', ({ at, sentence }) => `[10:${two(at)}] ${at % 2 ? 'ann' : 'bob'}: ${sentence()}\n`),
  rows(
    'envelope of a shell',
    ({ word, at }) => `${word()} ${at}\n`,
    '<returncode>1</returncode>\n<output>\n',
    '</output>',
  ),
]

const writing: readonly TextKind[] = [
  prose,
  made('prose, one line', prose, (text) => text.replaceAll('\n', ' ')),
  made('log with written line feeds', log, (text) => text.replaceAll('\n', String.raw`\n`)),
  made('log, one line', log, (text) => text.replaceAll('\n', ' ')),
  made('log with returns', log, (text) => text.replaceAll('\n', '\r\n')),
  rows(
    'Markdown',
    ({ at, word, sentence }) => `## ${word()} ${at}\n\n${sentence()}\n\n- ${word()}\n- \`${word()}\`\n\n`,
  ),
  rows('Markdown list', ({ word, sentence }) => `- **${word()}**: ${sentence()}\n`),
  rows('Markdown fences', ({ word }) => `\`\`\`ts\nconst ${word()} = 1\n\`\`\`\n`),
  rows('fences alone', () => '```\n'),
  rows('quotations', ({ sentence }) => `> ${sentence()}\n`),
  rows('Chinese', ({ at, number }) => `会议 ${at} 在星期三举行,共有 ${number()} 人参加。我们讨论了预算和计划。\n`),
  rows('Chinese, one line', () => '我们讨论了预算和计划。会议在星期三举行'),
  rows('Arabic', ({ number }) => `اجتماع الفريق يوم الأربعاء رقم ${number()} في القاعة\n`),
  rows('emoji', ({ pick }) => `${pick(['🤖', '👩‍👩‍👧', '🇩🇪', '✅'])}${pick(['🤖', '🎉', '\n'])}`),
  rows('accents', ({ word }) => `na\u00EFve caf\u00E9 e\u0301 ${word()} \u00DCber\n`),
  rows(
    'subtitles',
    ({ at, sentence }) => `${at}\n00:00:${two(at)},000 --> 00:00:${two(at + 1)},000\n${sentence()}\n\n`,
  ),
  program,
  made('program, one line', program, (text) => text.replaceAll(/\s+/g, ' ')),
  rows(
    'minified JavaScript',
    ({ word, number }) => `function ${word()}(e,t){return e?t:${number()}}var n=${word()}();`,
  ),
  rows(
    'Python',
    ({ at, word }) =>
      `def ${word()}_${at}(self, ${word()}):\n    """${word()}."""\n    for x in range(3):\n        print(x)\n    return None\n\n`,
  ),
  rows(
    'Go',
    ({ at, word }) =>
      `func ${word()}${at}(a int) error {\n\tif err := ${word()}(a); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n\n`,
  ),
  rows(
    'Rust',
    ({ at, word }) => `pub fn ${word()}${at}(a: &str) -> Result<u8> {\n    let x = a.parse()?;\n    Ok(x)\n}\n\n`,
  ),
  rows('C', ({ at, word }) => `static int ${word()}_${at}(int a)\n{\n\treturn a + ${at};\n}\n\n`),
  rows(
    'Java',
    ({ at, word }) =>
      `    @Override\n    public int ${word()}${at}(int a) {\n        return this.${word()};\n    }\n\n`,
    'public class A {\n',
  ),
  rows('SQL', ({ at, word }) => `SELECT ${word()}, count(*) FROM ${word()} WHERE id = ${at} GROUP BY 1;\n`),
  rows(
    'shell',
    ({ at, word }) => `if [ -f ${word()}${at} ]; then\n  echo "${word()}" >> out.txt\nfi\n`,
    '#!/bin/bash\n',
  ),
  rows('CSS', ({ at, word }) => `.${word()}-${at} {\n  color: red;\n  margin: ${at}px;\n}\n`),
  rows('imports', ({ at, word }) => `import { ${word()} } from './${word()}${at}.ts'\n`),
  rows('comments', ({ sentence }) => `// ${sentence()}\n`),
  rows('assembly', ({ at, word }) => `  ${at.toString(16)}:\t48 89 e5\tmov    %rsp,%rbp # ${word()}\n`),
]

const odd: readonly TextKind[] = [
  rows('base64, one line', (row) => letters(row, 64)),
  rows('base64, wrapped', (row) => `${letters(row, 76)}\n`),
  rows('data URI', (row) => letters(row, 64), 'data:image/png;base64,'),
  rows('hex, one line', ({ upTo }) => upTo(65_536).toString(16).padStart(4, '0')),
  rows('identifiers', (row) => `${letters(row, 8)}-${letters(row, 4)}-${letters(row, 12)}\n`),
  rows('unique lines', ({ at }) => `${at.toString(36)}\n`),
  rows('unique words, one line', ({ at }) => `${at.toString(36)} `),
  rows('two lines in turns', ({ at }) => (at % 2 ? 'ping\n' : 'pong\n')),
  ...(
    [
      ['same line', 'the same line again\n'],
      ['line feeds', '\n'],
      ['returns', '\r'],
      ['spaces', ' '],
      ['spaces in lines', '          \n'],
      ['tabs', '\t'],
      ['x', 'x'],
      ['x in lines', 'x\n'],
      ['error in lines', 'error\n'],
      ['error, one line', 'error '],
      ['[', '['],
      ['[ in lines', '[\n'],
      ['{ in lines', '{\n'],
      ['{"a":', '{"a":'],
      ['[{"a":', '[{"a":'],
      ['(', '('],
      ['<a>', '<a>'],
      ['quotes', '"'],
      ['backslashes', '\\'],
      ['written line feeds', String.raw`\n`],
      ['backticks', '`'],
      ['commas', ','],
      ['commas in lines', ',,,\n'],
      ['full stops', '. '],
      ['dashes in lines', '----\n'],
      ['pipes', '|'],
      ['pipes in lines', '| |\n'],
      ['nulls', '\u0000'],
      ['lone surrogates', '\ud83d'],
      ['lone surrogates in lines', '\ud83d \udc00\n'],
      ['combining marks', 'e\u0301\u0301\u0301'],
      ['escapes', '\u001b[31m'],
      ['line separators', 'a\u2028'],
      ['markers like ours', '[lines 3-9 folded: rehydrate("482915037114", "3-9")]\n'],
      ['links', 'https://a.example/b?c=d&e=f '],
      ['digits', '0123456789'],
    ] as const
  ).map(([name, part]) => repeated(name, part)),
]

const folder = new URL('../src/fixtures/kinds/', import.meta.url)
const samples = 'git-log-p cargo-build docker-build npm-install jest kubectl-get-pods psql'.split(' ')

/** Real output over and over, with other digits each time. */
function sampled(name: string): TextKind {
  return {
    name: `sample ${name}`,
    text: (size) => {
      const sample = readFileSync(new URL(`${name}.txt`, folder), 'utf8')
      const { upTo } = chancesOf(11)
      const parts: string[] = []
      for (let length = 0; length < size; length += sample.length)
        parts.push(length === 0 ? sample : sample.replaceAll(/\d/g, () => String(upTo(10))))
      return parts.join('')
    },
  }
}

/** Kinds of text that tools return, good and odd: none may make a pack slow. */
export const textKinds: readonly TextKind[] = [
  ...structures,
  ...tables,
  ...outputs,
  ...writing,
  ...odd,
  ...samples.map(sampled),
]
