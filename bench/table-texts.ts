import { rows } from './text-rows.ts'
import type { TextKind } from './text-rows.ts'

/** Tables in the forms in which tools print them. */
export const tables: readonly TextKind[] = [
  rows('TSV, two columns of digits', ({ at }) => `${at % 10}\t${at % 7}\n`),
  rows('TSV, two columns', ({ at, word }) => `${at}\t${word()}\n`),
  rows('TSV, five columns', ({ at, word, number }) => `${at}\t${word()}\t${word()}\t${number()}\t${number()}\n`),
  rows('CSV, two digits', ({ at }) => `${at % 10},${at % 7}\n`, 'a,b\n'),
  rows(
    'CSV, four columns',
    ({ at, word, number }) => `${at},${word()},${word()},${number()}\n`,
    'id,name,state,size\n',
  ),
  rows('CSV, quoted', ({ at, sentence }) => `${at},"${sentence()}, ""so"" it was"\n`, 'id,note\n'),
  rows('CSV, semicolons', ({ at, word, number }) => `${at};${word()};${number()},5\n`, 'id;name;size\n'),
  rows('CSV, figures', ({ number }) => `${number()},${number()},${number()},${number()}\n`, 'a,b,c,d\n'),
  rows('CSV, 50 columns', ({ number }) => `${Array.from({ length: 50 }, number).join(',')}\n`),
  rows('pipe, no frame', ({ at, word }) => `${at} | ${word()} | ${word()}\n`),
  rows('Markdown table, short', ({ at }) => `| ${at % 10} | ${at % 7} |\n`, '| a | b |\n| --- | --- |\n'),
  rows('Markdown table', ({ at, word }) => `| ${at} | ${word()} |\n`, '| id | name |\n| --- | --- |\n'),
  rows('columns by spaces', ({ at, word, number }) => `${String(at).padEnd(9)}${word().padEnd(14)}${number()}\n`),
  rows(
    'psql',
    ({ at, word }) => ` ${String(at).padStart(8)} | ${word().padEnd(12)}\n`,
    '    id   | name\n---------+-----------\n',
  ),
  rows(
    'process list',
    ({ at, word, number }) =>
      `root ${String(at).padStart(8)}  0.0  0.1 ${number()} ? Ss 10:01 0:00 /usr/bin/${word()}\n`,
    'USER PID %CPU %MEM VSZ TTY STAT START TIME COMMAND\n',
  ),
]
