import type { OptionTable } from './command.ts'
import { variablesOf } from './variables.ts'

/** Where a gateway is that nobody has said otherwise of. */
export const usualGateway = 'http://127.0.0.1:8484'

/** Of commands that ask a gateway, and have no store to ask. */
export const gatewayOptions = {
  url: {
    type: 'text',
    about: 'address of the gateway',
    placeholder: 'URL',
    fallback: usualGateway,
    variables: variablesOf('URL'),
  },
  token: { type: 'text', about: 'token for it', placeholder: 'TOKEN', variables: variablesOf('CLIENT_TOKEN') },
} as const satisfies OptionTable
