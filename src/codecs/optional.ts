/** An object with the member, or without it when the value is undefined. */
export function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? nothing : ({ [name]: value } as { readonly [Key in Name]?: Value })
}

const nothing = {}
