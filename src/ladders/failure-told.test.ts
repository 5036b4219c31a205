import { describe, expect, it } from 'vitest'
import { contentKind } from './content-kind.ts'
import { detectFailure } from './failure.ts'
import { ladderFor } from './ladder-for.ts'

const reportOf = (text: string) => detectFailure(text.split('\n'), contentKind(text), text)
const lineOf = (text: string): string =>
  ladderFor(
    { id: 'i', section: 'history', kind: 'tool-result', toolName: 'bash', text },
    { count: (said) => Math.ceil(said.length / 4), handle: '482915037', step: 7 },
  ).find(({ rung }) => rung === 'line')?.text ?? ''

const described = `Name:             api-5c9d7-x
Namespace:        shop
Status:           Running
${Array.from({ length: 30 }, (_, at) => `    VARIABLE_${at}:  value ${at}`).join('\n')}
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
    Ready:          False
Events:
  Type     Reason     Age                    From               Message
  Normal   Pulled     3m (x37 over 3h)       kubelet            Container image already present on machine
  Warning  BackOff    2m14s (x810 over 3h)   kubelet            Back-off restarting failed container api`

const log = [
  ...Array.from({ length: 20 }, (_, at) => `2026-03-04 09:16:${10 + at},004 INFO [http-1] shop - order ${at} placed`),
  '2026-03-04 09:16:31,004 ERROR [http-1] shop.orders - cannot place order 4718',
  'java.lang.IllegalStateException: stock of cup-7 is 0',
  '\tat shop.stock.Shelf.take(Shelf.java:41)',
  '2026-03-04 09:16:32,004 INFO [http-1] shop - order 4719 placed',
].join('\n')

describe('what tells of a failure of something else', () => {
  it('has not failed itself: a log, a list of pods, the description of one', () => {
    for (const text of [described, log]) {
      expect(reportOf(text).failed).toBe(false)
      expect(reportOf(text).stated).toBeGreaterThan(0)
    }
  })

  it('has not failed itself: the log of a web server, of which what was answered with 500 and more is told', () => {
    const entry = (client: string, status: number): string =>
      `${client} - - [04/Mar/2026:09:18:06 +0100] "POST /cart HTTP/1.1" ${status} 500 "-" "curl/8.5"`
    const served = Array.from({ length: 40 }, (_, at) => entry(`10.0.0.${at}`, [200, 404, 302][at % 3] ?? 200))
    expect(reportOf(served.join('\n')).stated).toBe(0)
    const broken = [...served.slice(0, 20), entry('192.0.2.7', 502), ...served.slice(20)].join('\n')
    expect(reportOf(broken)).toMatchObject({ failed: false, stated: 1 })
    expect(lineOf(broken)).toMatch(/ - ok, 1 failure reported, [^]*\n192\.0\.2\.7 .* 502 500 /)
  })

  it('names each of a few failures, so that the cause is among them', () => {
    expect(lineOf(described)).toMatch(
      /^\[Tool: bash - ok, 3 failures reported, [^]*CrashLoopBackOff\n[^]*OOMKilled\n[^]*Back-off restarting/,
    )
    expect(lineOf(log)).toMatch(
      /^\[Tool: bash - ok, \d failures? reported, [^]*IllegalStateException: stock of cup-7 is 0/,
    )
  })

  it('has failed where it says so in words of its own, or ends with what it threw', () => {
    expect(
      reportOf('2026/11/22 23:34:53 [emerg] 2#2: invalid parameter\nnginx: configuration test failed').failed,
    ).toBe(true)
    expect(reportOf(`${log}\njava.lang.IllegalStateException: stopped\n\tat shop.Main.main(Main.java:4)`).failed).toBe(
      true,
    )
  })

  it('is told with what stands below where only a count was found, and without the place of something else', () => {
    const linted =
      "== [stdin] FAIL\nL:   1 | P:   1 |  PRS | Line 1, Position 1: Found unparsable section: ';;'\nAll Finished!"
    expect(lineOf(`${'checked a file\n'.repeat(40)}${linted}`)).toContain("Found unparsable section: ';;'")
    const warned = [
      'src/app/__init__.py:9',
      '  /app/__init__.py:9: DeprecationWarning: old',
      '    import old',
      '',
      '-- Docs: https://docs',
    ]
    const missing = [...warned, '=== 2 warnings in 0.02s ===', 'ERROR: file or directory not found: test/core/linter/']
    expect(lineOf(`${'collected\n'.repeat(60)}${missing.join('\n')}`)).not.toContain('__init__')
  })

  it('has failed where a server wraps the failure into a document of its own, whatever the flag of the protocol says', () => {
    const wrapped = (document: object, indent?: number): string =>
      JSON.stringify(
        {
          _meta: null,
          content: [{ type: 'text', text: JSON.stringify(document, undefined, 2), annotations: null }],
          isError: false,
          structuredContent: { result: document },
          tools: Array.from({ length: 40 }, (_, at) => ({ id: `tool-${at}`, used: at })),
        },
        undefined,
        indent,
      )
    for (const indent of [undefined, 2]) {
      const loaded = wrapped({ error: 'No presentation is currently loaded or the specified ID is invalid' }, indent)
      expect(lineOf(loaded)).toMatch(/^\[Tool: bash - error, [^]*No presentation is currently loaded/)
      const inserted = wrapped(
        { status: 'error', message: "插入布局失败: Package not found at '/root/a.pptx'" },
        indent,
      )
      expect(lineOf(inserted)).toMatch(/^\[Tool: bash - error, [^]*Package not found at/)
      expect(lineOf(wrapped({ result: 'ok', file_hash: '88d2', reason: null, error: null }, indent))).toMatch(
        / - ok, \d+ tokens/,
      )
    }
  })
})
