import { expect, it } from 'vitest'
import type { Statistics } from '../api/answers.ts'
import { othersIn } from './other-tenants.ts'

const row = (tenant: string, requests: number) => ({ tenant, figures: { requests } }) as Statistics['data'][number]

it('counts tenants with requests, without one’s own', () => {
  const data = [row('platform', 3), row('acme', 1600), row('globex', 0)]
  expect(othersIn({ tenant: 'platform', data })).toEqual({ tenants: 1, requests: 1600 })
  expect(othersIn({ tenant: 'platform', data: [] })).toEqual({ tenants: 0, requests: 0 })
})
