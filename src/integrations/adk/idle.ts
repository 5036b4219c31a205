/** Callbacks of which we make no use, those too that later versions bring. */
export const idle: object = new Proxy(
  {},
  { get: (_, name) => (/^(?:on|before|after)[A-Z]/.test(String(name)) ? async () => undefined : undefined) },
)
