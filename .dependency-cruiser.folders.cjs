// Which folders inside a room may import each other: none, in either direction at once. Test files stand where what they test stands
// and may see the whole room, so that they are left out here.
const { options } = require('./.dependency-cruiser.cjs')

module.exports = {
  forbidden: [
    {
      name: 'no-cycles-of-folders',
      comment: 'Move the imported type or function down, into the lower of the two folders.',
      scope: 'folder',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: '[.](?:test|child|fixture)[.]ts$' } },
}
