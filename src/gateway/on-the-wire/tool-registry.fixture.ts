import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GatewayConfigInput } from '../index.ts'
import { keyGateway, keyTokens } from './keys.fixture.ts'
import type { KeyGateway } from './keys.fixture.ts'
import type { TestGatewayOptions } from './test-gateway.fixture.ts'

type Sources = NonNullable<NonNullable<GatewayConfigInput['tools']>['sources']>

const folders: string[] = []

export function inFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'prehend-tools-'))
  folders.push(folder)
  return folder
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

export function toolFile(tools: readonly object[], folder = inFolder()): string {
  const path = join(folder, 'tools.json')
  writeFileSync(path, JSON.stringify(tools))
  return path
}

const child = join(import.meta.dirname, 'odd-mcp-server.child.ts')

/** A server that behaves as it is told. */
export function oddServer(how: string, file?: string): Sources[string] {
  return { command: process.execPath, args: [child, how, ...(file === undefined ? [] : [file])] }
}

export interface ToolGateway extends KeyGateway {
  /** Asks as the admin of a tenant. */
  tool(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: ToolBody }>
  call(id: string, given?: object, more?: object): Promise<ToolBody>
}

/** What routes of tools answer. */
export interface ToolBody {
  readonly data: readonly ToolBody[]
  readonly missing: readonly { readonly server: string; readonly reason: string }[]
  readonly [member: string]: unknown
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly retryable: boolean
    readonly hint: string
  }
}

/** A gateway with sources of tools. */
export async function toolGateway(
  sources: Sources,
  tools: Omit<NonNullable<GatewayConfigInput['tools']>, 'sources'> = {},
  { config, ...options }: TestGatewayOptions = {},
): Promise<ToolGateway> {
  const gateway = await keyGateway({ ...options, config: { ...config, tools: { ...tools, sources } } })
  const tool: ToolGateway['tool'] = async (method, path, body) => {
    const answer = await gateway.as(keyTokens.boss, method, `/v1/tools${path}`, body)
    return { status: answer.status, body: answer.body as unknown as ToolBody }
  }
  return {
    ...gateway,
    tool,
    call: async (id, given = {}, more = {}) =>
      (await tool('POST', `/${encodeURIComponent(id)}/call`, { arguments: given, ...more })).body,
  }
}
