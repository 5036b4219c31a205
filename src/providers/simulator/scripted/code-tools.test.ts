import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/index.ts'
import { simulatedProvider } from '../simulated-provider.ts'
import { scriptFrom } from './play-script.ts'

/** As Codex describes its `exec`. */
const description = `Run JavaScript code to orchestrate/compose tool calls

### \`apply_patch\`
This is a FREEFORM tool.

exec tool declaration:
\`\`\`ts
declare const tools: { apply_patch(input: string): Promise<unknown>; };
\`\`\`

### \`exec_command\`
\`\`\`ts
declare const tools: { exec_command(args: {
  // Shell command to execute.
  cmd: string;
  // Working directory for the command.
  workdir?: string;
}): Promise<{
  exit_code?: number;
  output: string;
}>; };
\`\`\`
`
const exec = {
  type: 'custom',
  name: 'exec',
  description,
  format: { type: 'grammar', syntax: 'lark', definition: 'start: /./' },
}
const brought = {
  type: 'additional_tools',
  role: 'developer',
  tools: [{ type: 'namespace', name: 'functions', tools: [exec] }],
}
const user = { role: 'user', content: 'Go.' }
const edit = { edit: '/p/a.js', find: 'one\n', replace: 'two\n' }
const steps = [
  { do: [{ run: 'ls' }] },
  { do: [{ write: '/p/a.js', content: 'one\n' }] },
  { do: [edit] },
  { say: 'Done.' },
]

interface Answered {
  readonly output: readonly JsonObject[]
  readonly usage: { readonly input_tokens: number }
}

async function ask(input: readonly JsonObject[], more: JsonObject = {}): Promise<Answered> {
  const { fetch } = simulatedProvider({ script: scriptFrom({ schema: 'prehend.script/1', steps }), strict: false })
  const response = await fetch('http://simulated/v1/responses', {
    method: 'POST',
    headers: { authorization: 'Bearer key' },
    body: JSON.stringify({ model: 'gpt-6.2-sol', input, ...more }),
  })
  return (await response.json()) as Answered
}

describe('a client of Responses whose tools come as an input item', () => {
  it('is called by code where its tool runs code', async () => {
    const { output } = await ask([brought, user])
    expect(output).toMatchObject([{ type: 'custom_tool_call', name: 'exec' }])
    expect(output[0]?.['input']).toBe(
      'const result = await tools.exec_command({"cmd":"ls"});\ntext(result.output ?? result);\n' +
        'if (result.exit_code) text(`exit code ${result.exit_code}`);',
    )
  })

  it('goes on after the results of such calls, and patches whole lines', async () => {
    const turn = (id: string): readonly JsonObject[] => [
      { type: 'custom_tool_call', call_id: id, name: 'exec', input: 'x' },
      { type: 'custom_tool_call_output', call_id: id, output: [{ type: 'input_text', text: 'Script completed' }] },
    ]
    const second = await ask([brought, user, ...turn('c1')])
    expect(second.output[0]?.['input']).toContain(
      String.raw`tools.apply_patch("*** Begin Patch\n*** Add File: /p/a.js\n+one\n*** End Patch")`,
    )
    const third = await ask([brought, user, ...turn('c1'), ...turn('c2')])
    expect(third.output[0]?.['input']).toContain(String.raw`*** Update File: /p/a.js\n@@\n-one\n+two\n*** End Patch`)
    const last = await ask([brought, user, ...turn('c1'), ...turn('c2'), ...turn('c3')])
    expect(last.output).toMatchObject([{ type: 'message' }])
  })

  it('is billed for these tools as for those of `tools`', async () => {
    const [alone, inItem, inTools] = await Promise.all([
      ask([user]),
      ask([brought, user]),
      ask([user], { tools: [exec] as unknown as JsonObject[] }),
    ])
    expect(inItem.usage.input_tokens - alone.usage.input_tokens).toBeGreaterThan(100)
    expect(inItem.usage.input_tokens).toBe(inTools.usage.input_tokens)
  })
})
