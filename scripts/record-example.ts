// Records examples/session.jsonl: a scripted agent that runs real commands on a copy of examples/repo.
// usage: node scripts/record-example.ts
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { findNeedles, sessionMessages } from '../src/inspect/index.ts'
import { exampleSteps, finalAnswer, systemPrompt, task, tools } from './example-steps.ts'
import type { ExampleStep } from './example-steps.ts'

const examples = resolve(import.meta.dirname, '..', 'examples')
const id = 'fix-stocktake'

interface Message {
  readonly role: string
  readonly content: string
  readonly [key: string]: unknown
}

/** What a command printed, and whether it failed. */
interface Finished {
  readonly output: string
  readonly failed: boolean
}

function openRepository(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'prehend-example-')))
  cpSync(join(examples, 'repo'), folder, { recursive: true })
  const date = '2024-05-01T09:00:00Z'
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: '/dev/null' }
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: folder, env })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Example Agent')
  git('config', 'user.email', 'agent@example.org')
  git('add', '.')
  git('commit', '--quiet', '--message', 'stocktake 0.3.0')
  return folder
}

function runCommand(command: string, folder: string): Finished {
  const date = '2024-05-01T10:00:00Z'
  const { stdout, stderr, status } = spawnSync('sh', ['-c', `{ ${command}\n} 2>&1`], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      LC_ALL: 'C',
      NO_COLOR: '1',
      GIT_PAGER: 'cat',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  })
  const output = steady(`${stdout}${stderr}`, folder).trimEnd()
  return { output: status === 0 ? output : `${output}\n[exit code ${status}]`, failed: status !== 0 }
}

/** Takes out what would be different next time or elsewhere. */
function steady(output: string, folder: string): string {
  return output
    .replaceAll(folder, '/repo')
    .replaceAll(/\(\d+(?:\.\d+)?ms\)/g, '(1ms)')
    .replaceAll(/duration_ms \d+(?:\.\d+)?/g, 'duration_ms 1')
    .replaceAll(/index [0-9a-f]{7,}\.\.[0-9a-f]{7,}/g, 'index 0000000..0000000')
    .replaceAll(/\b[0-9a-f]{40}\b/g, '0'.repeat(40))
    .replaceAll(/\[main [0-9a-f]{7,}\]/g, '[main 0000000]')
    .replaceAll(/^commit [0-9a-f]+$/gm, 'commit 0000000')
}

function runEdit({ path, find, replace }: Extract<ExampleStep, { tool: 'edit' }>['input'], folder: string): Finished {
  const file = join(folder, path)
  const before = readFileSync(file, 'utf8')
  const parts = before.split(find)
  if (parts.length !== 2) throw new Error(`${path}: the text to replace stands there ${parts.length - 1} times`)
  writeFileSync(file, parts.join(replace))
  const first = (parts[0] ?? '').split('\n').length
  const lines = parts.join(replace).split('\n')
  const last = first + replace.split('\n').length - 1
  const shown = lines
    .slice(Math.max(0, first - 4), last + 3)
    .map((line, index) => `${String(Math.max(1, first - 3) + index).padStart(4)}  ${line}`)
  return { output: `Edited ${path}:\n${shown.join('\n')}`, failed: false }
}

function record(folder: string): readonly Message[] {
  let clock = Date.parse('2024-05-01T10:00:00Z') / 1000
  const stamp = (seconds: number): { readonly ts: number } => ({ ts: (clock += seconds) })
  const messages: Message[] = [
    { role: 'system', content: systemPrompt },
    { role: 'user', content: task, ...stamp(0) },
  ]
  for (const [index, step] of exampleSteps.entries()) {
    const callId = `call_${String(index + 1).padStart(2, '0')}`
    const finished = step.tool === 'bash' ? runCommand(step.input.command, folder) : runEdit(step.input, folder)
    const call = { id: callId, type: 'function', function: { name: step.tool, arguments: JSON.stringify(step.input) } }
    messages.push({ role: 'assistant', content: step.say, tool_calls: [call], ...stamp(6) })
    messages.push({
      role: 'tool',
      tool_call_id: callId,
      content: finished.output,
      ...(finished.failed ? { is_error: true } : {}),
      ...stamp(2),
    })
  }
  messages.push({ role: 'assistant', content: finalAnswer, ...stamp(8) })
  return messages
}

const folder = openRepository()
try {
  const session = { id, model: 'gpt-5.1', tools, messages: record(folder) }
  const place = { file: 'session.jsonl', line: 1, field: '' }
  const needles = findNeedles(sessionMessages(session as never, place))
  writeFileSync(join(examples, 'session.jsonl'), `${JSON.stringify(session)}\n`)
  const rows = needles.map((needle) => `${JSON.stringify({ id, ...needle })}\n`)
  writeFileSync(join(examples, 'session.needles.jsonl'), rows.join(''))
  console.log(`${session.messages.length} messages, ${needles.length} needles`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
