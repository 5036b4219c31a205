import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fakeIo } from './fake-io.fixture.ts'
import { foundSessions } from './found-sessions.ts'
import { runCli } from './run-cli.ts'

const home = mkdtempSync(join(tmpdir(), 'prehend-found-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const opening = { type: 'user', uuid: 'u1', parentUuid: null, sessionId: 's' }
const asked = JSON.stringify({ ...opening, message: { role: 'user', content: 'secret words' } })
const answer = { ...opening, type: 'assistant', uuid: 'a1', parentUuid: 'u1' }
const answered = `${asked}\n${JSON.stringify({ ...answer, message: { role: 'assistant', content: 'secret words' } })}\n`

function session(path: string, day: number, text = answered): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  utimesSync(file, new Date(2026, 0, day), new Date(2026, 0, day))
  return file
}

function rollout(text: string): string {
  const said = (role: string, type: string) => ({
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type, text }] },
  })
  return [said('user', 'input_text'), said('assistant', 'output_text')].map((line) => JSON.stringify(line)).join('\n')
}

describe('sessions of agents on this machine', () => {
  it('are listed newest first, five at most, with size and command, and none of their words', async () => {
    const empty = fakeIo({ environment: { HOME: join(home, 'nobody') } })
    expect(await runCli(['replay'], empty)).toBe(2)
    expect(empty.written.err).toContain('No session of an agent was found')
    session('.claude/projects/a/notes.txt', 9)
    for (let day = 1; day <= 5; day += 1) session(`.claude/projects/a/${day}.jsonl`, day)
    const newest = session('.codex/sessions/2026/01/08/rollout.jsonl', 8, rollout('x'.repeat(12_000)))
    const found = await foundSessions({ HOME: home }, 5)
    expect(found.map(({ agent }) => agent)).toEqual(['Codex', ...Array<string>(4).fill('Claude Code')])
    expect(found[0]).toMatchObject({ path: newest })
    const io = fakeIo({ environment: { HOME: home } })
    expect(await runCli(['replay'], io)).toBe(2)
    expect(io.written.err).toContain(`24 kB  Codex: ${newest}`)
    expect(io.written.err).toContain(`Replay one: prehend replay ${newest}`)
    expect(io.written.err).toContain('TRACE: is missing')
    expect(io.written.err).not.toContain('secret')
  })

  it('are not suggested where they hold no answer', async () => {
    const quit = session('.claude/projects/a/quit.jsonl', 12, asked)
    const io = fakeIo({ environment: { HOME: home } })
    expect(await runCli(['replay'], io)).toBe(2)
    expect(io.written.err).toContain('rollout.jsonl')
    expect(io.written.err).not.toContain(quit)
  })

  it('are listed where the named file is not there, before the error that says so', async () => {
    const io = fakeIo({ environment: { HOME: home } })
    expect(await runCli(['replay', join(home, 'missing.jsonl')], io)).not.toBe(0)
    expect(io.written.err).toMatch(/The newest sessions of agents[^]*missing\.jsonl/)
  })

  it('reads a bounded number of entries', async () => {
    const wide = join(home, 'wide')
    for (let at = 0; at < 5200; at += 1) session(`wide/.pi/agent/sessions/${at % 3}/${at}.jsonl`, 1, '')
    const found = await foundSessions({ HOME: wide }, 10_000)
    expect(found.length).toBeGreaterThan(4000)
    expect(found.length).toBeLessThanOrEqual(5000)
  })
})
