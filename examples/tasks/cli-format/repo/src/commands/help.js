export const help = {
  about: 'show this help',
  usage: 'help [COMMAND]',
  options: {},
  run({ words: [name], io, commands }) {
    if (name === undefined || !Object.hasOwn(commands, name)) {
      const rows = Object.entries(commands).map(([each, { about }]) => `  ${each.padEnd(7)} ${about}`)
      io.out(`Commands:\n${rows.join('\n')}\n`)
      return
    }
    const { usage, about, options } = commands[name]
    io.out(`${usage}: ${about}\n`)
    for (const [option, { value, about: what }] of Object.entries(options)) {
      io.out(`${`--${option}${value === undefined ? '' : ` ${value}`}`.padEnd(17)}${what}\n`)
    }
  },
}
