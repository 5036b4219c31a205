import type { BodyShape } from '../body-shape.ts'
import { toolsMember } from '../body-shape.ts'
import { member, stringAt } from '../../core/index.ts'
import { either, spellings } from './members.ts'

export const geminiShape: BodyShape = {
  messages: 'contents',
  isOfReply: (tree, message) => stringAt(tree, message, 'role') === 'model',
  partsReplies: true,
  content: (tree, message) => member(tree, message, 'parts'),
  system: spellings('systemInstruction'),
  toolChoice: spellings('toolConfig'),
  systemContent: (tree, system) => member(tree, system, 'parts'),
  toolsIn: toolsMember,
  toolList(tree, tool) {
    const list = either(tree, tool, 'functionDeclarations')
    return list?.kind === 'array' && list.children.length === 0 ? undefined : list
  },
  blockParts: (tree, block) => member(tree, either(tree, block, 'functionResponse'), 'parts'),
}
