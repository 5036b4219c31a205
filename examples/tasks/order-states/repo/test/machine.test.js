import assert from 'node:assert/strict'
import test from 'node:test'
import { auditLog } from '../src/audit.js'
import { advance } from '../src/machine.js'

const roles = ['manager', 'credit']
const plans = {
  web: ['submit', 'approve', 'pay', 'pick', 'pack', 'ship', 'deliver', 'return', 'restock'],
  phone: ['submit', 'reject', 'submit', 'approve', 'pay', 'pick', 'shortage', 'hold', 'release', 'pick', 'pack', 'ship', 'lose'],
  shop: ['submit', 'approve', 'pay', 'pick', 'pack', 'unpack', 'pack', 'collect', 'return', 'restock'],
  partner: ['submit', 'approve', 'invoice', 'pack', 'ship', 'deliver', 'return', 'restock'],
}

for (const [channel, plan] of Object.entries(plans)) {
  for (let id = 1; id <= 12; id += 1) {
    test(`order ${id} by ${channel}`, () => {
      let order = { id, channel, state: 'draft', history: [] }
      try {
        for (const event of plan) order = advance(order, event, roles)
      } finally {
        console.log(auditLog(order).join('\n'))
      }
      assert.equal(order.state, 'refunded')
    })
  }
}
