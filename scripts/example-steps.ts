/** One step of the scripted agent: what it says and what it does. */
export type ExampleStep =
  | { readonly say: string; readonly tool: 'bash'; readonly input: { readonly command: string } }
  | {
      readonly say: string
      readonly tool: 'edit'
      readonly input: { readonly path: string; readonly find: string; readonly replace: string }
    }

const text = { type: 'string' }
const tool = (name: string, description: string, properties: Readonly<Record<string, unknown>>) => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  },
})

export const tools = [
  tool('bash', 'Runs a command in the repository.', { command: text }),
  tool('edit', 'Replaces a piece of text in a file.', { path: text, find: text, replace: text }),
]

export const systemPrompt =
  'You are a careful software engineer. You work in a Git repository at /repo with two tools: `bash` runs a command there and `edit` replaces a piece of text in a file. Look before you change anything, keep changes small, and run the tests after each.'

export const task =
  'Several tests of this library fail. Find out why, repair the library without touching the existing tests, and tell me what was wrong. Also check by hand that the reports for our real data make sense; last month somebody complained that error messages name the wrong line of the file. Commit when you are done.'

export const finalAnswer =
  'All tests pass and the work is committed. Seven things were wrong: doubled quotes in CSV fields ended the field; negative prices were rounded down before the cents were added; withdrawals took the newest lot and not the oldest; error messages counted lines without the header, and without blank lines before them; --on left out the day itself; the oldest lot of an article in several warehouses was that of the first warehouse; and the footer of a table did not count for the width of its columns. I added a test for line numbers after blank lines.'

function bash(say: string, command: string): ExampleStep {
  return { say, tool: 'bash', input: { command } }
}

function edit(say: string, path: string, change: readonly [find: string, replace: string]): ExampleStep {
  return { say, tool: 'edit', input: { path, find: change[0], replace: change[1] } }
}

const tests = 'node --test --test-reporter=spec'

export const exampleSteps: readonly ExampleStep[] = [
  bash('I begin with a look around.', 'git ls-files && wc -l src/*.js test/*.js'),
  bash('', 'cat README.md package.json'),
  bash('Now the tests, to see what fails.', tests),
  bash('The CSV parser first, for everything else reads through it.', 'cat src/csv.js'),
  bash('', 'cat test/csv.test.js'),
  edit('A doubled quote closes the field and the second quote is lost. It has to stand for one quote.', 'src/csv.js', [
    `      if (character === '"') quoted = false\n`,
    `      if (character === '"' && text[position + 1] === '"') {\n        field += '"'\n        position += 1\n      } else if (character === '"') quoted = false\n`,
  ]),
  bash('', `${tests} test/csv.test.js`),
  bash('Next the prices.', 'cat src/money.js'),
  bash('', 'grep -rn "formatCents\\|multiplyCents" src bin test'),
  edit('Math.floor goes the wrong way for negative amounts, and a whole part of -0 loses its sign.', 'src/money.js', [
    "  const whole = Math.floor(cents / 100)\n  const fraction = Math.abs(cents % 100)\n  return `${whole}.${String(fraction).padStart(2, '0')}`\n",
    "  const sign = cents < 0 ? '-' : ''\n  const whole = Math.floor(Math.abs(cents) / 100)\n  const fraction = Math.abs(cents) % 100\n  return `${sign}${whole}.${String(fraction).padStart(2, '0')}`\n",
  ]),
  bash('', `${tests} test/money.test.js`),
  bash('Now the ledger.', 'cat src/stock-ledger.js'),
  bash('', 'cat test/stock-ledger.test.js'),
  edit('This takes the newest lot; the README says first in, first out.', 'src/stock-ledger.js', [
    '      const newest = lots[lots.length - 1]\n      const taken = Math.min(wanted, newest.quantity)\n      newest.quantity -= taken\n      wanted -= taken\n      if (newest.quantity <= epsilon) lots.pop()\n',
    '      const oldest = lots[0]\n      const taken = Math.min(wanted, oldest.quantity)\n      oldest.quantity -= taken\n      wanted -= taken\n      if (oldest.quantity <= epsilon) lots.shift()\n',
  ]),
  bash('', `${tests} test/stock-ledger.test.js`),
  bash('What is left?', tests),
  bash('The line numbers come from here.', 'cat src/read-movements.js'),
  bash('', 'cat test/read-movements.test.js'),
  edit('Rows are counted from 1 but the header is line 1, so the first row is line 2.', 'src/read-movements.js', [
    "row[columnIndex.get(name)] ?? '', index + 1))",
    "row[columnIndex.get(name)] ?? '', index + 2))",
  ]),
  bash('', `${tests} test/read-movements.test.js`),
  bash('Now the report.', 'cat src/report.js src/group-by.js'),
  bash('', 'cat test/report.test.js'),
  bash('The data, to check the expectations by hand.', 'cat data/movements.csv'),
  bash('', 'node bin/stocktake.js data/movements.csv'),
  edit('"on" a day includes that day: "leaves out movements after that day".', 'src/report.js', [
    'movements.filter((movement) => movement.date < on)',
    'movements.filter((movement) => movement.date <= on)',
  ]),
  bash('', 'grep -n "oldest\\|dates" -r src'),
  edit('The dates come in the order of the warehouses, so the first is not the oldest.', 'src/report.js', [
    "oldest: dates[0] ?? '', low",
    "oldest: dates.sort(compareText)[0] ?? '', low",
  ]),
  bash('', `${tests} test/report.test.js`),
  bash('The table is next.', 'cat src/format-table.js test/format-table.test.js'),
  edit('Only rows count for the widths; the footer has to as well.', 'src/format-table.js', [
    "    const cells = rows.map((row) => row[index] ?? '')\n",
    "    const cells = [...rows, ...(footer === undefined ? [] : [footer])].map((row) => row[index] ?? '')\n",
  ]),
  bash('', tests),
  bash('All green. Now by hand, with the real data.', 'node bin/stocktake.js data/movements.csv --low 100'),
  bash('', 'node bin/stocktake.js data/movements.csv --by warehouse --on 2024-03-31'),
  bash('', 'node bin/stocktake.js data/movements.csv --csv'),
  bash(
    'Bolts M8 x 40: 400 and 300 in, 480 out, so 220 remain, all at 0.36, which is 79.20. That agrees. Now the complaint about line numbers: what if there are blank lines?',
    `printf 'date,warehouse,article,quantity,price\\n\\n2024-01-08,Basel,Washer M8,1,1\\n\\n2024-01-09,Basel,Washer M8,none,1\\n' > blank.csv; node bin/stocktake.js blank.csv; cat -n blank.csv; rm blank.csv`,
  ),
  bash(
    'It says line 3 and the bad row stands in line 5: rows are numbered after blank ones were taken out.',
    'grep -n "filter\\|readRow\\|MovementError(" src/read-movements.js',
  ),
  edit('Number the rows first, leave out blank ones afterwards.', 'src/read-movements.js', [
    "    .filter((row) => row.some((field) => field !== ''))\n    .map((row, index) => readRow((name) => row[columnIndex.get(name)] ?? '', index + 2))\n",
    "    .map((row, index) => ({ row, line: index + 2 }))\n    .filter(({ row }) => row.some((field) => field !== ''))\n    .map(({ row, line }) => readRow((name) => row[columnIndex.get(name)] ?? '', line))\n",
  ]),
  edit('A test for it, beside the others.', 'test/read-movements.test.js', [
    "  test('refuses a quantity of zero', () => {\n",
    "  test('counts blank lines', () => {\n    const text = `${header}\\n2024-01-08,Basel,Washer M8,1,1\\n\\n2024-01-09,Basel,Washer M8,none,1\\n`\n    assert.throws(() => readMovements(text), (error) => error instanceof MovementError && error.line === 5)\n  })\n\n  test('refuses a quantity of zero', () => {\n",
  ]),
  bash('', `${tests} test/read-movements.test.js`),
  bash('Who else uses what I changed?', 'grep -rn "readMovements\\|formatTable\\|StockLedger" src bin'),
  bash('', 'cat src/render-report.js src/parse-options.js bin/stocktake.js'),
  bash(
    'Errors of the command line still look right?',
    'node bin/stocktake.js; node bin/stocktake.js missing.csv; node bin/stocktake.js data/movements.csv --by shelf',
  ),
  bash('Everything once more before the commit.', tests),
  bash('', 'git diff'),
  bash(
    '',
    'git commit --all --quiet --message "Repair CSV quotes, negative prices, FIFO, line numbers, dates and footers" && git log --stat --format="%s%n%an"',
  ),
]
