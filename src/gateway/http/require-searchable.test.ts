import { describe, expect, it } from 'vitest'
import { careful, guarded } from '../../compiler/index.ts'
import { PrehendError, invalidInput } from '../../core/index.ts'
import type { Policy } from '../../core/index.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { requireSearchable } from './require-searchable.ts'

const remedy = 'Nothing is to be done.'
const tooLong = new PrehendError('internal', `It takes too long. ${remedy}`, { remedy })
const unreadable = invalidInput('body', 'is not JSON', 'Send JSON.')

function asked(policy: Policy, more: Partial<Pick<Exchange, 'kind' | 'unread'>> & { mode?: 'on' | 'observe' } = {}) {
  const { mode = 'on', ...other } = more
  const settings = { mode, policy, rehydrate: true, step: {}, constraints: [], checklist: [] } as const
  return () => requireSearchable({ kind: 'messages', settings, ...other })
}

describe('P-065: a request that nobody has read', () => {
  it('is refused under a policy that defends: with the reason, or, where its thread was ended, as what may be tried again', () => {
    expect(asked(guarded, { unread: unreadable })).toThrow(unreadable)
    expect(asked(guarded, { unread: tooLong })).toThrow('could not be searched for injected orders')
  })

  it('goes on otherwise: under another policy, where nothing is packed, and where it was read', () => {
    for (const unread of [unreadable, tooLong]) {
      expect(asked(careful, { unread })).not.toThrow()
      expect(asked(guarded, { unread, mode: 'observe' })).not.toThrow()
      expect(asked(guarded, { unread, kind: 'count-tokens' })).not.toThrow()
    }
    expect(asked(guarded)).not.toThrow()
  })
})
