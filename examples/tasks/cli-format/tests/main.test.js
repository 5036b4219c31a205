import assert from 'node:assert/strict'
import test from 'node:test'
import { run } from '../src/main.js'

const usual = [
  { id: 1, task: 'write', project: 'book', minutes: 90 },
  { id: 2, task: 'call "Ann", then\tBob', project: 'none', minutes: 5 },
  { id: 10, task: 'read', project: 'book', minutes: 120 },
  { id: 11, task: 'a\\b\nc', project: 'art', minutes: 5 },
]

function called(argv, entries = usual) {
  const said = { out: '', err: '' }
  const own = structuredClone(entries)
  const code = run(argv, { entries: own, out: (text) => void (said.out += text), err: (text) => void (said.err += text) })
  return { code, ...said, entries: own }
}
const out = (...argv) => called(argv).out

test('without the options all is as it was', () => {
  assert.equal(out('list', '-p', 'book'), 'id  task   project  min\n 1  write  book      90\n10  read   book     120\n\n210 minutes\n')
  assert.equal(out('list', '--format', 'table'), out('list'))
  assert.equal(called(['list'], []).out, 'nothing to show\n')
  assert.equal(called(['totals', '-l', '100']).out, 'Minutes by project\n\nproject  entries  min\nbook           2  210\n')
})

test('json', () => {
  assert.equal(out('list', '--format', 'json'), `${JSON.stringify(usual, null, 2)}\n`)
  assert.deepEqual(JSON.parse(out('totals', '--format=json')), [
    { project: 'book', entries: 2, minutes: 210 },
    { project: 'none', entries: 1, minutes: 5 },
    { project: 'art', entries: 1, minutes: 5 },
  ])
  assert.equal(called(['list', '-f', 'json'], []).out, '[]\n')
})

test('csv', () => {
  assert.equal(
    out('list', '-f', 'csv'),
    'id,task,project,minutes\n1,write,book,90\n2,"call ""Ann"", then\tBob",none,5\n10,read,book,120\n11,"a\\b\nc",art,5\n',
  )
  assert.equal(called(['totals', '--format', 'csv'], []).out, 'project,entries,minutes\n')
})

test('lines', () => {
  assert.equal(
    out('list', '--format=lines', '--project', 'none'),
    'id=2\ttask=call "Ann", then\\tBob\tproject=none\tminutes=5\n',
  )
  assert.equal(out('list', '-f', 'lines', '-p', 'art'), 'id=11\ttask=a\\\\b\\nc\tproject=art\tminutes=5\n')
  assert.equal(called(['list', '-f', 'lines'], []).out, '')
})

const ids = (...argv) => JSON.parse(out('list', '-f', 'json', ...argv)).map(({ id }) => id)

test('sorting', () => {
  assert.deepEqual(ids('--sort', 'minutes'), [2, 11, 1, 10])
  assert.deepEqual(ids('--sort', '-minutes'), [10, 1, 2, 11])
  assert.deepEqual(ids('--sort=-id'), [11, 10, 2, 1])
  assert.deepEqual(ids('--sort', 'project'), [11, 1, 10, 2])
  assert.deepEqual(ids('--sort', '-project'), [2, 1, 10, 11])
  assert.match(out('totals', '--sort', '-entries'), /book[^]*none[^]*art/)
  assert.match(out('list', '--sort', 'task'), /a\\b[^]*call[^]*read[^]*write/)
})

test('errors', () => {
  const refused = (argv, message) => {
    const { code, out: said, err } = called(argv)
    assert.deepEqual([code, said, err], [2, '', `${message}\n`])
  }
  refused(['list', '--format', 'xml'], 'unknown format "xml": use table, json, csv or lines')
  refused(['list', '--sort', 'size'], 'unknown column "size": use id, task, project or minutes')
  refused(['list', '--sort', '-size'], 'unknown column "size": use id, task, project or minutes')
  refused(['totals', '--sort', 'id'], 'unknown column "id": use project, entries or minutes')
  refused(['list', '--format'], '--format needs a value')
  refused(['list', '-f'], '--format needs a value')
  refused(['totals', '--sort'], '--sort needs a value')
  refused(['add', 'x', '5', '--format', 'json'], 'unknown option "--format"')
  refused(['add', 'x', '5', '--sort', 'id'], 'unknown option "--sort"')
})

test('help', () => {
  const lines = '--format FORMAT  table, json, csv or lines\n--sort NAME      sort by a column; -NAME the other way round\n'
  assert.equal(out('help', 'list'), `list: show what was noted\n--project NAME   only of this project\n${lines}`)
  assert.ok(out('help', 'totals').endsWith(lines))
  assert.ok(!out('help', 'add').includes('--format'))
})
