import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { careful, withSettings } from '../compiler/index.ts'
import { parseConfig } from '../gateway/index.ts'
import { parseArguments } from './parse-arguments.ts'
import { serveCommand } from './serve.ts'
import { gatewayConfig } from './serving-config.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-serving-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a command line and an environment come to. */
function configOf(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { options } = parseArguments(serveCommand, argv, environment)
  return parseConfig(gatewayConfig(options, environment))
}

function configFile(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

describe('gateway configuration', () => {
  it('is the embedded defaults where nothing is said', () => {
    expect(configOf([])).toEqual(parseConfig({}))
  })

  it('X-30: takes our names and both sets of aliases from the environment, ours first', () => {
    expect(configOf([], { BARDO_INFERENCE_PORT: '1', CRUVERO_MODE: 'observe' })).toMatchObject({
      port: 1,
      mode: 'observe',
    })
    expect(configOf([], { BARDO_INFERENCE_PORT: '1', PREHEND_PORT: '2' })).toMatchObject({ port: 2 })
    expect(configOf(['--port', '3'], { PREHEND_PORT: '2' })).toMatchObject({ port: 3 })
  })

  it('X-30, C-026: takes every figure of a policy from the environment, by our names and both sets of aliases', () => {
    const settings = (environment: Record<string, string>, argv: string[] = []) => configOf(argv, environment).settings
    expect(settings({ CRUVERO_COMPRESSION_THRESHOLD: '0.9', BARDO_INFERENCE_RECENT_TURNS: '4' })).toEqual({
      compression_threshold: '0.9',
      recent_turns: '4',
    })
    const both = { CRUVERO_COMPRESSION_THRESHOLD: '0.9', PREHEND_PRESSURE_COMPRESS: '0.88' }
    const compress = (environment: Record<string, string>, argv: string[] = []) =>
      withSettings(careful, configOf(argv, environment).settings).pressure.compress
    expect(compress(both)).toBe(0.88)
    expect(compress(both, ['--set', 'compression_threshold=0.87'])).toBe(0.87)
    expect(compress({})).toBe(0.85)
    expect(() => settings({ PREHEND_PRESSURE_COMPRESS: 'much' })).toThrow('settings.pressure_compress')
    expect(() => settings({}, ['--set', 'pressure_compres=1'])).toThrow('Did you mean pressure_compress?')
    expect(() => settings({}, ['--set', 'pressure'])).toThrow('is no pair')
  })

  it('C-023, C-026: caching, the level of schemas and the tracking of waste are settings with defaults, and refuse other values', () => {
    const policyOf = (environment: Record<string, string>, argv: string[] = []) =>
      withSettings(careful, configOf(argv, environment).settings)
    const { promptCache = true, toolSchemas = 'truncate', trackWaste = false } = policyOf({})
    expect([promptCache, toolSchemas, trackWaste]).toEqual([true, 'truncate', false])
    const environment = {
      CRUVERO_PROMPT_CACHE_ENABLED: 'false',
      CRUVERO_TOOL_SCHEMA_COMPRESSION: 'minify',
      CRUVERO_CONTEXT_WASTE_TRACKING: 'true',
    }
    expect(policyOf(environment)).toMatchObject({ promptCache: false, toolSchemas: 'minify', trackWaste: true })
    expect(policyOf(environment, ['--set', 'tool_schemas=aggressive']).toolSchemas).toBe('aggressive')
    for (const [variable, name] of [
      ['CRUVERO_PROMPT_CACHE_ENABLED', 'prompt_cache_enabled'],
      ['PREHEND_TOOL_SCHEMAS', 'tool_schemas'],
      ['CRUVERO_CONTEXT_WASTE_TRACKING', 'context_waste_tracking'],
    ] as const)
      expect(() => policyOf({ [variable]: 'some' })).toThrow(`settings.${name}`)
  })

  it('C-023: takes the way of counting from the environment', () => {
    expect(configOf([], { CRUVERO_TOKENIZER_MODE: 'heuristic' }).tokenizer).toBe('heuristic')
    expect(configOf([], { CRUVERO_TOKENIZER_MODE: 'bpe' }).tokenizer).toBe('exact')
    expect(configOf(['--tokenizer', 'exact'], { PREHEND_TOKENIZER_MODE: 'heuristic' }).tokenizer).toBe('exact')
  })

  it('G-065: keeps caches warm by default, every 240 seconds, and less often than the cache lasts only', () => {
    expect(configOf([]).promptCache).toMatchObject({ keepalive: true, keepaliveMs: 240_000 })
    expect(configOf([], { BARDO_INFERENCE_CACHE_KEEPALIVE: 'false' }).promptCache.keepalive).toBe(false)
    expect(configOf([], { BARDO_INFERENCE_KEEPALIVE_INTERVAL: '120' }).promptCache).toMatchObject({
      keepalive: true,
      keepaliveMs: 120_000,
    })
    expect(() => configOf([], { BARDO_INFERENCE_KEEPALIVE_INTERVAL: '300' })).toThrow(/290/)
    expect(() => parseConfig({ promptCache: { keepaliveMs: 300_000 } })).toThrow(/promptCache\.keepaliveMs/)
  })

  it('reads all other settings from a file; the command line wins', () => {
    const file = configFile('all.json', '{"port": 9000, "mode": "observe", "limits": {"bodyBytes": 2048}}')
    const config = configOf(['--config', file, '--mode', 'off'])
    expect(config).toMatchObject({ port: 9000, mode: 'off', limits: { bodyBytes: 2048 } })
  })

  it('uses a provider whose key is set, and nothing else', () => {
    expect(configOf([], { OPENAI_API_KEY: 'k' }).upstreams).toEqual({ openai: { apiKey: 'k' } })
    expect(configOf([], { OPENAI_API_KEY: '' }).upstreams).toEqual({})
  })

  it('gives a provider that is named the credentials of the client, even where a key is set', () => {
    const config = configOf(['--upstream', 'anthropic'], { ANTHROPIC_API_KEY: 'k', DEEPSEEK_API_KEY: 'd' })
    expect(config.upstreams).toEqual({ anthropic: {}, deepseek: { apiKey: 'd' } })
  })

  it('takes the address of a provider', () => {
    const config = configOf(['--upstream', 'openai=http://127.0.0.1:9/v1,deepseek'])
    expect(config.upstreams).toEqual({ openai: { baseUrl: 'http://127.0.0.1:9/v1' }, deepseek: {} })
  })

  it('takes servers by name, and any other with its address', () => {
    const config = configOf(['--upstream', 'ollama,mybox=http://127.0.0.1:9/v1'], { GROQ_API_KEY: 'k' })
    expect(config.upstreams).toEqual({ ollama: {}, mybox: { baseUrl: 'http://127.0.0.1:9/v1' } })
  })

  it('takes a key from the variable that a file names', () => {
    const upstreams = { groq: { keyVariable: 'MY_KEY', models: ['llama*'] } }
    const file = configFile('key.json', JSON.stringify({ upstreams }))
    expect(configOf(['--config', file], { MY_KEY: 'k' }).upstreams).toEqual({
      groq: { apiKey: 'k', models: ['llama*'] },
    })
    expect(() => configOf(['--config', file])).toThrow('upstreams.groq.keyVariable: MY_KEY is not set')
  })

  it('takes a token from the variable that a file names', () => {
    const tokens = [{ tokenVariable: 'OPERATOR_TOKEN', tenant: 'platform', scopes: ['operator'] }]
    const file = configFile('tokens.json', JSON.stringify({ tokens }))
    expect(configOf(['--config', file], { OPERATOR_TOKEN: 'a-long-secret' }).tokens).toEqual([
      { token: 'a-long-secret', tenant: 'platform', scopes: ['operator'] },
    ])
    expect(() => configOf(['--config', file])).toThrow('tokens[0].tokenVariable: OPERATOR_TOKEN is not set')
  })

  it('refuses a secret that stands beside the variable of another one', () => {
    const tokens = [{ tokenVariable: 'OPERATOR_TOKEN', token: 'written-in-the-file', tenant: 'platform' }]
    const file = configFile('both.json', JSON.stringify({ tokens }))
    expect(() => configOf(['--config', file], { OPERATOR_TOKEN: 'of-the-variable' })).toThrow(
      'tokens[0].token: stands beside tokenVariable. Leave out one of them.',
    )
    const upstreams = { groq: { keyVariable: 'MY_KEY', apiKey: 'k', models: ['llama*'] } }
    const other = configFile('both-keys.json', JSON.stringify({ upstreams }))
    expect(() => configOf(['--config', other], { MY_KEY: 'k' })).toThrow(
      'upstreams.groq.apiKey: stands beside keyVariable',
    )
  })

  it.each([
    ['{"tenants":{"web":{"policy":"careful"},"web":{}}}', 'tenants.web'],
    ['{"port":1,"po\\u0072t":2}', 'port'],
    ['{"tokens":[{"token":"aaaaaaaa","tenant":"a"},{"tenant":"b","tenant":"c"}]}', 'tokens[1].tenant'],
  ])('refuses a file in which a member stands twice, by its path: %s', (text, path) => {
    const file = configFile('twice.json', text)
    expect(() => configOf(['--config', file])).toThrow(`${path}: stands twice in ${file}`)
  })

  it('takes the keys of an S3 address from the variables of AWS, where neither address nor file has any', () => {
    const url = 's3://s3.example/blobs'
    const environment = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S', AWS_SESSION_TOKEN: 'T', AWS_REGION: 'R' }
    const ofVariables = { accessKeyId: 'A', secretAccessKey: 'S', sessionToken: 'T', region: 'R' }
    expect(configOf(['--blobs', url], environment)).toMatchObject({ blobs: url, s3: ofVariables })
    expect(configOf([], { ...environment, PREHEND_BLOBS: url }).s3).toEqual(ofVariables)
    const s3 = { accessKeyId: 'mine', secretAccessKey: 'own' }
    const file = configFile('s3.json', JSON.stringify({ blobs: url, s3 }))
    // A token belongs to the keys that it came with.
    expect(configOf(['--config', file], environment).s3).toEqual({ ...s3, region: 'R' })
    expect(configOf(['--config', file, '--blobs', 's3://other.example/blobs'], {})).toMatchObject({
      blobs: 's3://other.example/blobs',
      s3,
    })
    expect(configOf([], environment).s3).toBeUndefined()
    expect(() => configOf(['--blobs', url])).toThrow('s3.accessKeyId: is missing, which `blobs` needs')
    expect(() => configOf(['--blobs', 's3://K:hidden@s3.example'])).toThrow(/^blobs: names no valid bucket(?!.*hidden)/)
    expect(() => configOf(['--blobs', 'https://s3.example/blobs'])).toThrow('blobs: is no address of an S3 bucket')
  })

  it('looks up a folder of blobs from the folder of the file that names it', () => {
    const file = configFile('blobs.json', '{"blobs": "bytes"}')
    expect(configOf(['--config', file]).blobs).toBe(join(folder, 'bytes'))
    expect(configOf(['--config', file, '--blobs', 'here']).blobs).toBe('here')
  })

  it('--simulate forgets keys and providers', () => {
    expect(configOf(['--simulate', '--upstream', 'openai'], { ANTHROPIC_API_KEY: 'k' }).upstreams).toEqual({})
  })

  it('a script implies the simulated provider', () => {
    expect(configOf(['--script', 'example'], { ANTHROPIC_API_KEY: 'k' }).upstreams).toEqual({})
  })

  it('takes names and pages that are let in, from the command line and from the environment', () => {
    expect(
      configOf(['--allow-host', 'Gateway.local,[fe80::1]', '--allow-origin', 'https://App.example:8443']),
    ).toMatchObject({
      allowedHosts: ['gateway.local', '[fe80::1]'],
      allowedOrigins: ['https://app.example:8443'],
    })
    expect(configOf([], { PREHEND_ALLOW_ORIGIN: 'vscode-webview://a' }).allowedOrigins).toEqual(['vscode-webview://a'])
    expect(configOf([])).toMatchObject({ allowedHosts: [], allowedOrigins: [] })
  })

  it('reads tokens with and without a tenant', () => {
    expect(configOf(['--token', 'team-a=long-secret-1,long-secret-2']).tokens).toEqual([
      { tenant: 'team-a', token: 'long-secret-1' },
      { tenant: 'default', token: 'long-secret-2' },
    ])
  })

  it('takes a policy from a file, and one that the configuration has by its name', () => {
    const own = { extends: 'thrifty', id: 'house', version: '1.0.0' }
    const path = configFile('house.json', JSON.stringify(own))
    expect(configOf(['--policy', path])).toMatchObject({ policy: 'house', policies: [own] })
    const config = configFile('own.json', JSON.stringify({ policies: [own] }))
    expect(configOf(['--config', config, '--policy', 'house'])).toMatchObject({ policy: 'house', policies: [own] })
    expect(configOf([], { PREHEND_POLICY: path }).policy).toBe('house')
  })

  it('can switch the tool off', () => {
    expect(configOf(['--no-rehydrate']).rehydrate).toBe(false)
    expect(configOf([], { PREHEND_NO_REHYDRATE: 'false' }).rehydrate).toBe(true)
  })

  it.each([
    ['--upstream: nothing is known by the name "gpt". Use one of openai, ', ['--upstream', 'gpt']],
    ['upstreams.: ', ['--upstream', '=http://127.0.0.1:9']],
    ['policy: carefull is not a policy. Did you mean careful?', ['--policy', 'carefull']],
    ['--policy', ['--policy', './nowhere.json']],
    ['upstreams.openai.baseUrl: ', ['--upstream', 'openai=ftp://x']],
    ['tokens[0].token: ', ['--token', 'short']],
  ])('refuses bad input: %s', (message, argv) => {
    expect(() => configOf(argv)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }))
  })

  it('names the file that is wrong, and the setting in it', () => {
    expect(() => configOf(['--config', join(folder, 'none.json')])).toThrow(
      expect.objectContaining({ code: 'not-found' }),
    )
    expect(() => configOf(['--config', configFile('a.json', '{"port":')])).toThrow(
      expect.objectContaining({ code: 'invalid-json' }),
    )
    expect(() => configOf(['--config', configFile('b.json', '[]')])).toThrow(/is not an object/)
    expect(() => configOf(['--config', configFile('c.json', '{"prot": 1}')])).toThrow(
      /^prot: is not known\. Did you mean port\?/,
    )
  })
})
