import { describe, expect, it } from 'vitest'
import { parseConfig } from './config.ts'

const fieldOf = (value: unknown): string => {
  try {
    parseConfig(value)
  } catch (error) {
    return (error as { data: { field: string } }).data.field
  }
  return 'accepted'
}

describe('parseConfig', () => {
  it('fills in every default, on loopback', () => {
    expect(parseConfig({})).toEqual(parseConfig(undefined))
    expect(parseConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 8484,
      mode: 'on',
      policy: 'balanced',
      rehydrate: true,
      limits: { bodyBytes: 33_554_432, drainMs: 600_000, threadBytes: 65_536 },
      upstreams: {},
    })
  })

  it('keeps what is set and fills in the rest', () => {
    const { timeouts } = parseConfig({ timeouts: { idleMs: 5 } })
    expect(timeouts).toEqual({ ...parseConfig({}).timeouts, idleMs: 5 })
  })

  it('C-023: knows the other name of exact counting', () => {
    expect(parseConfig({}).tokenizer).toBe('exact')
    expect(parseConfig({ tokenizer: 'bpe' }).tokenizer).toBe('exact')
    expect(parseConfig({ tokenizer: 'heuristic' }).tokenizer).toBe('heuristic')
  })

  it.each([
    [{ tokenizer: 'words' }, 'tokenizer: is not one of exact, heuristic, bpe.'],
    [{ tenants: { acme: { metadata: { tokenizer_mode: 'words' } } } }, 'tenants.acme.tokenizer: is not one of exact'],
    [{ modelRoutes: { auto: { cheap: 'gpt-5-mini' } } }, 'modelRoutes.auto.dear: is neither the name of a model nor'],
    [{ modelRoutes: { auto: { cheap: {}, dear: 'gpt-5.1' } } }, 'modelRoutes.auto.cheap: names no model.'],
    [
      { upstreams: { openai: {} }, modelRoutes: { auto: { cheap: 'gpt-5-mini', dear: 'opnai/gpt-5.1' } } },
      'modelRoutes.auto.dear: there is no upstream opnai. There are openai.',
    ],
    [
      {
        upstreams: { openai: {} },
        aliases: { best: 'mine/gpt-5.1' },
        modelRoutes: { auto: { cheap: 'openai/gpt-5-mini', dear: 'best' } },
      },
      'modelRoutes.auto.dear: there is no upstream mine.',
    ],
  ])('says what there is to choose from: %j', (value, message) => {
    expect(() => parseConfig(value)).toThrow(message)
  })

  const acme = { token: 'token-of-acme', tenant: 'acme' }
  const openai = { openai: {} }

  it.each([
    [{ tokens: [acme], tenants: { acmee: {} } }, 'tenants.acmee: is a tenant that no token names. Did you mean acme?'],
    [{ tokens: [acme], operators: ['acm'] }, 'operators[0]: is a tenant that no token names. Did you mean acme?'],
    [{ tokens: [acme, { ...acme, tenant: 'b' }] }, 'tokens[1].token: is the same as tokens[0].token.'],
    [
      { upstreams: openai, fallbacks: { 'gpt-5.1': ['gpt-5', 'nobody/x'] } },
      'fallbacks.gpt-5.1[1]: there is no upstream nobody.',
    ],
    [{ upstreams: openai, fallbacks: { 'gpt-5.1': ['gpt-5.1'] } }, 'fallbacks.gpt-5.1[0]: is the model itself.'],
    [
      { upstreams: openai, aliases: { x: 'a', a: 'b', b: 'a' } },
      'aliases.a: leads back to itself (a, b, a). Name a model of a provider.',
    ],
    [{ upstreams: openai, tenants: { acme: { aliases: { a: 'a' } } } }, 'tenants.acme.aliases.a: leads back to itself'],
    [{ tokens: [{ ...acme, tenant: 'a b/../c\n' }] }, 'tokens[0].tenant: is no name of a tenant'],
    [{ tokens: [acme], tenants: { 'a/b': {} } }, 'tenants.a/b: is no name of a tenant'],
    [{ tokens: [acme], operators: [' acme'] }, 'operators[0]: is no name of a tenant'],
    [{ upstreams: openai, aliases: { fast: 'nobody/x' } }, 'aliases.fast: there is no upstream nobody.'],
    [
      { upstreams: openai, tenants: { acme: { fallbacks: { m: ['nobody/x'] } } } },
      'tenants.acme.fallbacks.m[0]: there is no upstream nobody.',
    ],
    [
      { upstreams: openai, tenants: { acme: { allowedUpstreams: ['opnai'] } } },
      'tenants.acme.allowedUpstreams[0]: there is no upstream opnai. Did you mean openai?',
    ],
    [
      { upstreams: { mine: { baseUrl: 'https://me:secret@x.example/v1' } } },
      'upstreams.mine.baseUrl: has a user or a password',
    ],
    [{ upstreams: { mine: { baseUrl: 'https://x.example/v1?api-version=1' } } }, 'upstreams.mine.baseUrl: has a query'],
  ])('says at the start what would be found out in an outage: %j', (value, message) => {
    expect(() => parseConfig(value)).toThrow(message)
    expect(() => parseConfig(value)).not.toThrow('secret')
  })

  it('says everything at once', () => {
    const wrong = {
      prot: 1,
      mode: 'fast',
      limits: { stageMs: 0 },
      tokens: [acme, acme],
      upstreams: { openai: { apiKey: 'k', credentials: 'of-clients' }, mine: {} },
      fallbacks: { a: ['nobody/x'], b: ['nobody/y'] },
      tenants: { acmee: { retention: { receiptDays: 400 } } },
    }
    const fields = (value: object): readonly string[] => {
      try {
        parseConfig(value)
        return []
      } catch (error) {
        return (error as Error).message.split('\n').map((line) => line.split(': ')[0]!)
      }
    }
    const { mode: _, prot: __, limits: ___, ...later } = wrong
    const ofPlaces = ['tokens[1].token', 'tenants.acmee', 'upstreams.openai.credentials', 'upstreams.mine.baseUrl']
    expect(fields(later)).toEqual([...ofPlaces, 'tenants.acmee.retention.receiptDays'])
    const known = { ...wrong, upstreams: { openai: {} } }
    expect(fields(known).toSorted()).toEqual(
      [
        'prot',
        'mode',
        'limits.stageMs',
        'tokens[1].token',
        'tenants.acmee',
        'fallbacks.a[0]',
        'fallbacks.b[0]',
        'tenants.acmee.retention.receiptDays',
      ].toSorted(),
    )
  })

  it.each([
    [{ prot: 1 }, 'prot: is not known. Did you mean port?'],
    [{ timeouts: { idlMs: 5 } }, 'timeouts.idlMs: is not known. Did you mean idleMs?'],
    [{ tenants: { acme: { limts: {} } } }, 'tenants.acme.limts: is not known. Did you mean limits?'],
    [{ tenants: { acme: { limits: { bodyByts: 1 } } } }, 'limits.bodyByts: is not known. Did you mean bodyBytes?'],
    [{ tokens: [{ token: 'long-enough', tenent: 'a' }] }, 'tokens[0].tenant: is missing.'],
    [{ upstreams: { groq: { dialect: 'opnai-chat' } } }, 'upstreams.groq.dialect'],
    [{ mode: 'obseve' }, 'mode: is not one of on, observe, off. Did you mean observe?'],
    [{ port: '80' }, 'port: is not a number.'],
  ])('says what was meant: %j', (value, message) => {
    expect(() => parseConfig(value)).toThrow(message)
  })

  it.each([
    [{ prot: 1 }, 'prot'],
    [{ timeouts: { idle: 5 } }, 'timeouts.idle'],
    [{ tokens: [{ token: 'long-enough', tenant: 'a', admin: true }] }, 'tokens[0].admin'],
    [{ upstreams: { openai: { key: 'x' } } }, 'upstreams.openai.key'],
    [{ upstreams: { mybox: {} } }, 'upstreams.mybox.baseUrl'],
    [{ upstreams: { 'My Box': { baseUrl: 'http://x' } } }, 'upstreams.My Box'],
    [{ upstreams: { groq: { dialect: 'morse' } } }, 'upstreams.groq.dialect'],
    [{ upstreams: { groq: { models: [] } } }, 'upstreams.groq.models'],
    [{ port: '80' }, 'port'],
    [{ port: 70_000 }, 'port'],
    [{ mode: 'fast' }, 'mode'],
    [{ tokens: [{ token: 'short', tenant: 'a' }] }, 'tokens[0].token'],
    [{ upstreams: { openai: { baseUrl: 'file:///etc/passwd' } } }, 'upstreams.openai.baseUrl'],
    [{ allowedHosts: ['gateway.local:8484'] }, 'allowedHosts[0]'],
    [{ allowedHosts: ['ok', 'http://gateway.local'] }, 'allowedHosts[1]'],
    [{ allowedOrigins: ['app.example'] }, 'allowedOrigins[0]'],
    [{ allowedOrigins: ['https://app.example/'] }, 'allowedOrigins[0]'],
    [{ allowedOrigins: ['null'] }, 'allowedOrigins[0]'],
    [{ allowedOrigins: ['*'] }, 'allowedOrigins[0]'],
    [{ limits: { bodyBytes: -1 } }, 'limits.bodyBytes'],
    [{ limits: { stageMs: Number.NaN } }, 'limits.stageMs'],
    [{ models: { mine: { window: 5 } } }, 'models.mine.window'],
    [{ models: { mine: { windowTokens: '5' } } }, 'models.mine.windowTokens'],
    [{ models: { mine: { family: 'mistral' } } }, 'models.mine.family'],
    [{ models: { mine: { prices: { input: 1 } } } }, 'models.mine.prices.output'],
    [{ models: { mine: { prices: { input: 1, output: 2, read: 1 } } } }, 'models.mine.prices.read'],
    [{ models: { mine: { cache: { kind: 'magic' } } } }, 'models.mine.cache.kind'],
    [{ tokenizer: 'guess' }, 'tokenizer'],
    ['text', 'config'],
    [[], 'config'],
  ])('names the path of what is wrong in %j: %s', (value, field) => {
    expect(fieldOf(value)).toBe(field)
  })
})
