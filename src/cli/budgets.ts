import { PrehendError, isJsonObject, parseObject } from '../core/index.ts'
import { command } from './command.ts'
import { receiptOptions } from './receipts.ts'
import { textTable } from './text-table.ts'
import { usualGateway } from './usual-gateway.ts'

interface StandingBudget {
  readonly scope: string
  readonly name: string | null
  readonly limit: string
  readonly unit: string
  readonly most: number
  readonly spent: number
  readonly reserved: number
  readonly left: number
  readonly resetsMs: number | null
}

export const budgetsCommand = command({
  name: 'budgets',
  about: 'show what a tenant may still spend: its limits, those of its teams and of its keys',
  details: ['A running gateway is asked, since it knows what is reserved for requests under way.'],
  options: {
    url: { ...receiptOptions.url, about: 'address of the gateway', fallback: usualGateway },
    token: receiptOptions.token,
    tenant: { type: 'text', about: 'another tenant than that of the token; for operators', placeholder: 'TENANT' },
  },
  examples: ['prehend budgets', 'prehend budgets --tenant acme --json'],
  async run({ options, io }) {
    const { url = usualGateway, token, tenant, json = false } = options
    const address = new URL('/v1/budgets', url)
    if (tenant !== undefined) address.searchParams.set('tenant', tenant)
    const text = await asked(address, token)
    if (json) return io.out(`${text}\n`)
    const { tenant: whose, data } = JSON.parse(text) as {
      readonly tenant: string
      readonly data: readonly StandingBudget[]
    }
    if (data.length === 0) return io.out(`${whose} has no limits\n`)
    const head = ['limit', 'of', 'most', 'spent', 'reserved', 'left', 'resets']
    io.out(`${textTable(head, data.map(rowOf), ['of', 'resets'])}\n`)
  },
})

function rowOf({ scope, name, limit, unit, most, spent, reserved, left, resetsMs }: StandingBudget): readonly string[] {
  const amount = (of: number): string => (unit === 'usd' ? `$${of.toFixed(4)}` : String(of))
  const resets = resetsMs === null ? '' : new Date(resetsMs).toISOString().slice(0, 16).replace('T', ' ')
  return [limit, name === null ? scope : `${scope} ${name}`, ...[most, spent, reserved, left].map(amount), resets]
}

async function asked(address: URL, token: string | undefined): Promise<string> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(address, { headers }).catch((error: unknown) => {
    throw unreachable(address.origin, error)
  })
  const text = await response.text()
  if (response.ok) return text
  const error = parseObject(text)?.['error']
  const said = isJsonObject(error) ? error['message'] : undefined
  if (response.status === 401) {
    const remedy = 'Give its token with --token'
    throw new PrehendError('unauthorized', `${address.origin} asks for a token. ${remedy}.`, { remedy })
  }
  const message = typeof said === 'string' ? said : `${address.origin} answered ${response.status}.`
  throw new PrehendError(response.status === 403 ? 'forbidden' : 'unavailable', message, { remedy: message })
}

function unreachable(origin: string, cause: unknown): PrehendError {
  const remedy = 'Start it with prehend serve, or give its address with --url.'
  return new PrehendError('upstream-unreachable', `No gateway answers at ${origin}. ${remedy}`, { remedy }, cause)
}
