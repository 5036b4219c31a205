import { member } from '../../core/index.ts'
import { plainShape } from '../body-shape.ts'
import type { BodyShape } from '../body-shape.ts'
import { isOfReply } from './items.ts'

export const responsesShape: BodyShape = {
  ...plainShape,
  messages: 'input',
  isOfReply,
  partsReplies: true,
  system: ['instructions'],
  content: (tree, item) => member(tree, item, 'content') ?? member(tree, item, 'output'),
}
