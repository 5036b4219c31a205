import { nextId } from './ids.js'
import { members } from './registry.js'

export function addMember(name) {
  const id = nextId('member')
  members.set(id, { id, name, blocked: false })
  return id
}

export function memberOf(id) {
  const member = members.get(id)
  if (member === undefined) throw new Error(`no member ${id}`)
  return member
}
