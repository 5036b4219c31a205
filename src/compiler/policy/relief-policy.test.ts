import { describe, expect, it } from 'vitest'
import { reliefProfiles } from '../../core/index.ts'
import { composePolicy } from './compose-policy.ts'
import { explainPolicy } from './explain-policy.ts'
import { readPolicy } from './read-policy.ts'
import { tenantChanges } from './tenant-settings.ts'

const file = (more: object) => ({ extends: 'careful', id: 'mine', version: '1.0.0', ...more })

describe('the order of relief in a policy file', () => {
  it.each(Object.entries(reliefProfiles))(
    'X-08: %s is set by its name, and explained by its steps',
    (relief, steps) => {
      const written = file({ relief })
      const { values } = explainPolicy(readPolicy(written), { written })
      expect(values).toContainEqual({ path: 'relief', value: relief, from: 'base' })
      expect(values).toContainEqual({ path: 'relief.steps', value: steps.join(', '), from: 'base' })
    },
  )

  it('X-08: is a list of one’s own, for a class of tasks, a tenant or all', () => {
    const policy = readPolicy(
      file({
        relief: ['mask', 'compress-memory'],
        overrides: { taskClass: { audit: { relief: [] } }, tenant: { acme: tenantChanges({ relief: 'proactive' }) } },
      }),
    )
    expect(composePolicy(policy).policy.relief).toEqual(['mask', 'compress-memory'])
    expect(composePolicy(policy, { taskClass: 'audit' }).policy.relief).toEqual([])
    const { origins, policy: acmes } = composePolicy(policy, { tenant: 'acme' })
    expect([acmes.relief, origins.get('relief')]).toEqual(['proactive', 'tenant acme'])
  })

  it.each([
    [{ relief: 'proactiv' }, /policy\.relief: is not one of ladder, proactive/],
    [{ relief: ['mask', 'shrink'] }, /policy\.relief\[1\]: is not one of lossless, schemas/],
    [{ relief: ['mask', 'schemas', 'mask'] }, /policy\.relief\[2\]: stands twice/],
    [
      { overrides: { regime: { busy: { relief: ['evict', 'evict'] } } } },
      /overrides\.regime\.busy\.relief\[1\]: stands twice/,
    ],
    [{ relief: 3 }, /policy\.relief: is not a list/],
  ])('what is wrong with %j is named', (more, message) => {
    expect(() => readPolicy(file(more))).toThrow(message)
  })
})
