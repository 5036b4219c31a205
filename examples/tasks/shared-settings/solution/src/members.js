export function openMembers({ nextId }) {
  const members = new Map()

  function addMember(name) {
    const id = nextId('member')
    members.set(id, { id, name, blocked: false })
    return id
  }

  function memberOf(id) {
    const member = members.get(id)
    if (member === undefined) throw new Error(`no member ${id}`)
    return member
  }
  return { addMember, memberOf }
}
