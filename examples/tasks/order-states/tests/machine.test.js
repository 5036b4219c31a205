import assert from 'node:assert/strict'
import test from 'node:test'
import { advance } from '../src/machine.js'

/** State, event, channel, next state and role. */
const rows = [
  ["draft", "submit", "web", "submitted", null],
  ["draft", "submit", "phone", "submitted", null],
  ["draft", "submit", "shop", "submitted", null],
  ["draft", "submit", "partner", "submitted", null],
  ["draft", "cancel", "web", "cancelled", null],
  ["draft", "cancel", "phone", "cancelled", null],
  ["draft", "cancel", "shop", "cancelled", null],
  ["draft", "cancel", "partner", "cancelled", null],
  ["submitted", "approve", "phone", "approved", "manager"],
  ["submitted", "approve", "partner", "approved", "manager"],
  ["submitted", "approve", "web", "approved", null],
  ["submitted", "approve", "shop", "approved", null],
  ["submitted", "reject", "web", "draft", null],
  ["submitted", "reject", "phone", "draft", null],
  ["submitted", "reject", "shop", "draft", null],
  ["submitted", "reject", "partner", "draft", null],
  ["submitted", "cancel", "web", "cancelled", null],
  ["submitted", "cancel", "phone", "cancelled", null],
  ["submitted", "cancel", "shop", "cancelled", null],
  ["submitted", "cancel", "partner", "cancelled", null],
  ["approved", "pay", "web", "paid", null],
  ["approved", "pay", "phone", "paid", null],
  ["approved", "pay", "shop", "paid", null],
  ["approved", "invoice", "partner", "picking", "credit"],
  ["approved", "hold", "web", "on-hold", null],
  ["approved", "hold", "phone", "on-hold", null],
  ["approved", "hold", "shop", "on-hold", null],
  ["approved", "hold", "partner", "on-hold", null],
  ["approved", "cancel", "web", "cancelled", null],
  ["approved", "cancel", "phone", "cancelled", null],
  ["approved", "cancel", "shop", "cancelled", null],
  ["approved", "cancel", "partner", "cancelled", null],
  ["paid", "pick", "web", "picking", null],
  ["paid", "pick", "phone", "picking", null],
  ["paid", "pick", "shop", "picking", null],
  ["paid", "pick", "partner", "picking", null],
  ["paid", "hold", "web", "on-hold", null],
  ["paid", "hold", "phone", "on-hold", null],
  ["paid", "hold", "shop", "on-hold", null],
  ["paid", "hold", "partner", "on-hold", null],
  ["paid", "refund", "web", "refunded", "manager"],
  ["paid", "refund", "phone", "refunded", "manager"],
  ["paid", "refund", "shop", "refunded", "manager"],
  ["paid", "refund", "partner", "refunded", "manager"],
  ["picking", "pack", "web", "packed", null],
  ["picking", "pack", "phone", "packed", null],
  ["picking", "pack", "shop", "packed", null],
  ["picking", "pack", "partner", "packed", null],
  ["picking", "hold", "web", "on-hold", null],
  ["picking", "hold", "phone", "on-hold", null],
  ["picking", "hold", "shop", "on-hold", null],
  ["picking", "hold", "partner", "on-hold", null],
  ["picking", "shortage", "web", "approved", null],
  ["picking", "shortage", "phone", "approved", null],
  ["picking", "shortage", "shop", "approved", null],
  ["picking", "shortage", "partner", "approved", null],
  ["packed", "ship", "web", "shipped", null],
  ["packed", "ship", "phone", "shipped", null],
  ["packed", "ship", "partner", "shipped", null],
  ["packed", "collect", "shop", "delivered", null],
  ["packed", "unpack", "web", "picking", null],
  ["packed", "unpack", "phone", "picking", null],
  ["packed", "unpack", "shop", "picking", null],
  ["packed", "unpack", "partner", "picking", null],
  ["shipped", "deliver", "web", "delivered", null],
  ["shipped", "deliver", "phone", "delivered", null],
  ["shipped", "deliver", "partner", "delivered", null],
  ["shipped", "lose", "web", "refunded", "manager"],
  ["shipped", "lose", "phone", "refunded", "manager"],
  ["shipped", "lose", "partner", "refunded", "manager"],
  ["delivered", "return", "web", "returned", null],
  ["delivered", "return", "phone", "returned", null],
  ["delivered", "return", "shop", "returned", null],
  ["delivered", "return", "partner", "returned", "manager"],
  ["returned", "restock", "web", "refunded", null],
  ["returned", "restock", "phone", "refunded", null],
  ["returned", "restock", "shop", "refunded", null],
  ["returned", "restock", "partner", "refunded", null],
  ["returned", "reject", "web", "delivered", "manager"],
  ["returned", "reject", "phone", "delivered", "manager"],
  ["returned", "reject", "shop", "delivered", "manager"],
  ["returned", "reject", "partner", "delivered", "manager"],
  ["on-hold", "release", "web", "approved", null],
  ["on-hold", "release", "phone", "approved", null],
  ["on-hold", "release", "shop", "approved", null],
  ["on-hold", "release", "partner", "approved", null],
  ["on-hold", "cancel", "web", "cancelled", "manager"],
  ["on-hold", "cancel", "phone", "cancelled", "manager"],
  ["on-hold", "cancel", "shop", "cancelled", "manager"],
  ["on-hold", "cancel", "partner", "cancelled", "manager"]
]

const order = (state, channel, history = []) => ({ id: 1, state, channel, history })
const codeOf = (...given) => {
  try {
    advance(...given)
    return 'advanced'
  } catch (error) {
    const [{ state, channel }, event] = given
    assert.equal(error.message, `${error.code}: ${event} in ${state} (${channel})`)
    return error.code
  }
}

test('every row of the docs', () => {
  for (const [from, event, channel, to, role] of rows) {
    const before = order(from, channel)
    const after = advance(before, event, role === null ? [] : ['clerk', role])
    assert.equal(after.state, to, `${event} in ${from} by ${channel}`)
    assert.deepEqual(after.history, [{ event, from, to }])
    assert.deepEqual(before, order(from, channel))
    if (role !== null) assert.equal(codeOf(before, event, ['clerk']), 'missing-role')
  }
})

test('what is not in the docs', () => {
  const all = { states: new Set(), events: new Set(), channels: new Set() }
  for (const [state, event, channel] of rows) all.states.add(state) && all.events.add(event) && all.channels.add(channel)
  for (const state of all.states) {
    for (const event of all.events) {
      const own = rows.filter((row) => row[0] === state && row[1] === event)
      for (const channel of all.channels) {
        if (own.some((row) => row[2] === channel)) continue
        const code = codeOf(order(state, channel), event, ['manager', 'credit'])
        assert.equal(code, own.length === 0 ? 'wrong-state' : 'wrong-channel', `${event} in ${state} by ${channel}`)
      }
    }
  }
})

test('unknown events and ends', () => {
  assert.equal(codeOf(order('draft', 'web'), 'dance', []), 'unknown-event')
  assert.equal(codeOf(order('draft', 'web'), 'toString', []), 'unknown-event')
  for (const state of ['refunded', 'cancelled']) {
    for (const event of ['dance', 'submit', 'pay']) assert.equal(codeOf(order(state, 'web'), event, ['manager']), 'ended')
  }
})

test('an order that was paid before it was held', () => {
  const paid = [{ event: 'pay', from: 'approved', to: 'paid' }]
  assert.equal(codeOf(order('approved', 'web', paid), 'pay', []), 'already-paid')
  assert.equal(advance(order('approved', 'web', paid), 'pick', []).state, 'picking')
  assert.equal(codeOf(order('approved', 'web'), 'pick', []), 'wrong-state')
  assert.deepEqual(advance(order('approved', 'shop', paid), 'pick', []).history.at(-1), { event: 'pick', from: 'approved', to: 'picking' })
})
