import { testGateway } from './test-gateway.fixture.ts'
import type { TestGateway, TestGatewayOptions } from './test-gateway.fixture.ts'

export type Json = Readonly<Record<string, never>>

/** `ops` manages keys of all and asks no model; `boss` manages those of acme; `rival` those of another tenant. */
export const keyTokens = {
  ops: 'token-of-operations',
  boss: 'token-of-the-boss',
  rival: 'token-of-the-rival',
  agent: 'token-of-an-agent',
} as const

export const keyConfig = {
  policy: 'careful',
  tokens: [
    { token: keyTokens.ops, tenant: 'house', name: 'ops', scopes: ['operator' as const] },
    { token: keyTokens.boss, tenant: 'acme', name: 'boss', scopes: ['inference', 'read', 'admin'] as const },
    { token: keyTokens.rival, tenant: 'rival', name: 'rival', scopes: ['inference', 'read', 'admin'] as const },
    { token: keyTokens.agent, tenant: 'acme', name: 'agent' },
  ].map(({ scopes, ...rest }) => ({ ...rest, ...(scopes && { scopes: [...scopes] }) })),
}

export interface Answer {
  readonly status: number
  readonly body: Json & { readonly id: string; readonly secret: string; readonly data: readonly Json[] }
  readonly message: string
}

export interface KeyGateway extends TestGateway {
  /** Asks a route as the holder of a token or a secret. */
  as(token: string, method: string, path: string, body?: unknown): Promise<Answer>
  /** The status of a small request to a model. */
  ask(token: string, model?: string): Promise<Answer>
}

/** A gateway with tokens that manage keys. */
export async function keyGateway({ config, ...options }: TestGatewayOptions = {}): Promise<KeyGateway> {
  const gateway = await testGateway({ script: () => 'done', ...options, config: { ...keyConfig, ...config } })
  return withKeys(gateway)
}

export function withKeys(gateway: TestGateway): KeyGateway {
  const as = async (token: string, method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(gateway.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Answer['body']
    const { error } = answer as unknown as { error?: { message: string } }
    return { status: response.status, body: answer, message: error?.message ?? '' }
  }
  const ask = (token: string, model = 'gpt-5.1') =>
    as(token, 'POST', '/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }] })
  return { ...gateway, as, ask }
}
