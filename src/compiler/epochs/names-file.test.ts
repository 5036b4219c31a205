import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { fileResults, namesFile } from './names-file.ts'

const call = (toolName: string, args: unknown) => ({ toolName, text: JSON.stringify(args) })
const bash = (command: string) => call('bash', { command })

describe('namesFile', () => {
  it.each([
    bash('cat package.json'),
    bash('cd /srv/shop && sed -n "10,40p" src/cart.ts'),
    bash('git show HEAD:src/cart.ts'),
    bash('grep -n total src/cart.ts | head -20'),
    bash("sudo head -c 400 '/etc/hosts.conf'"),
    call('shell', { command: ['bash', '-lc', 'cat src/cart.ts'] }),
    call('read', { path: 'src/cart.ts', offset: 10 }),
    call('Read', { file_path: '/srv/shop/data.json' }),
    call('str_replace_based_edit_tool', { command: 'view', path: '/srv/shop/a.py' }),
    call('read_multiple_files', { paths: ['a.json', 'b.json'] }),
    { toolName: 'read', text: 'not { json' },
  ])('$toolName $text', (one) => {
    expect(namesFile(one)).toBe(true)
  })

  it.each([
    bash('npm test'),
    bash('kubectl get pods -o json'),
    bash('kubectl get pods -o json | head -50'),
    bash('curl -s https://shop.example/api/orders | jq .items'),
    bash('git status'),
    bash('node src/main.ts'),
    call('get_reservation', { reservation_id: 'ZFA04Y' }),
    call('list_directory', { path: '/srv/shop' }),
    call('glob', { path: 'src', pattern: '**/*.ts' }),
    call('query', { sql: 'select * from orders' }),
  ])('not $toolName $text', (one) => {
    expect(namesFile(one)).toBe(false)
  })

  it('takes the nearest call of that id, and results without a call for those of files', () => {
    const item = (kind: Item['kind'], text: string, toolCallId: string): Item => ({
      id: `${kind} ${text}`,
      section: 'history',
      kind,
      text,
      toolName: 'bash',
      toolCallId,
    })
    const items = [
      item('tool-call', '{"command":"cat a.json"}', 'c'),
      item('tool-result', '{}', 'c'),
      item('tool-call', '{"command":"npm test"}', 'c'),
      item('tool-result', 'ok', 'c'),
      item('tool-result', 'lost', 'd'),
    ]
    expect(items.map((_, index) => fileResults(items)(index))).toEqual([false, true, false, false, true])
  })
})
