/** The same value with some members of our own; what its class keeps to itself only its own methods see. */
export function withOwn<Value extends object>(value: Value, own: Partial<Value>): Value {
  return new Proxy(value, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name) as unknown
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' && name !== 'constructor' ? (member.bind(target) as unknown) : member
    },
  })
}
