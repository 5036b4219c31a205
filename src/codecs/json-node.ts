export {
  decodeString,
  decodeValue,
  isNull,
  isTrue,
  keyAt,
  member,
  memberIndex,
  present,
  rawText,
  stringAt,
} from '../core/index.ts'
