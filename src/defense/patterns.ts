import type { InjectionReason } from '../core/index.ts'
import type { Evidence } from './evidence.ts'

/** A form of words or signs; it is only looked for where one of its signs stands in the text. */
interface Pattern {
  readonly reason: InjectionReason
  readonly weight: number
  readonly signs: readonly string[]
  /** Without backtracking over more than a few dozen characters. */
  readonly form: RegExp
  /** Whether it is of scripts without spaces between words. */
  readonly isEastern: boolean
}

const hasIdeographs = /[\u3040-\u30FF\u4E00-\u9FFF\uAC00-\uD7AF]/

const patterns: readonly Pattern[] = [
  pattern(
    'forged-delimiter',
    0.75,
    ['<|'],
    /<\|im_start\|>\s{0,3}(?:system|developer|assistant|user)\b|<\|start_header_id\|>\s{0,3}(?:system|assistant|user)/gi,
  ),
  pattern('forged-delimiter', 0.75, ['[INST]', '[/INST]'], /\[INST\]\s{0,3}<<SYS>>|<<\/SYS>>[^\n]{0,200}\[\/INST\]/g),
  pattern('forged-delimiter', 0.75, ['<<<'], /<<<(?:END_)?(?:SECTION|UNTRUSTED_INPUT):/g),
  pattern(
    'forged-delimiter',
    0.75,
    ['</'],
    /<\/(?:retrieved_context|context_pack|system_policy|user_request|developer_role|durable_memory)>/gi,
  ),
  pattern('forged-delimiter', 0.6, ['UNTRUSTED_INPUT'], /^\[?(?:END_)?UNTRUSTED_INPUT\b/gm),
  pattern(
    'forged-delimiter',
    0.5,
    ['SYSTEM POLICY', 'SYSTEM_POLICY', 'CONTEXT PACK'],
    /^(?:SYSTEM[ _]POLICY|CONTEXT PACK(?: RULES)?|USER REQUEST \(VERBATIM\)):/gm,
  ),
  pattern(
    'forged-delimiter',
    0.6,
    ['function_results', 'tool_result', 'function_calls'],
    /<(?:function_results|tool_result|function_calls|tool_response)\b[^>\n]{0,100}>/gi,
  ),
  pattern(
    'forged-delimiter',
    0.35,
    ['<system', '<SYSTEM', '<System'],
    /<system(?:_prompt|_message|-reminder)?>\s{0,3}\p{L}/giu,
  ),
  pattern(
    'forged-delimiter',
    0.5,
    ['### '],
    /^#{2,4} ?(?:System|Instruction|Assistant|User|Human|Response):[^\n]{0,200}\n[^#]{0,200}#{2,4} ?(?:System|Instruction|Assistant|User|Human|Response):/gim,
  ),
  pattern(
    'forged-delimiter',
    0.45,
    ['Human:'],
    /^\s{0,3}Human: [^\n]{0,300}\n{1,3}\s{0,3}(?:Assistant|AI): |^\s{0,3}Assistant: [^\n]{0,300}\n{1,3}\s{0,3}Human: /gm,
  ),
  pattern('forged-delimiter', 0.3, ['"role"', "'role'"], /["']role["']\s{0,3}:\s{0,3}["'](?:system|developer)["']/g),
  pattern(
    'forged-authority',
    0.35,
    ['[SYSTEM', '[ADMIN', '[admin', '[SISTEMA', '[СИСТЕМА', '[系统', '【', '[System'],
    /^\s{0,3}[[【](?:SYSTEM|System|SISTEMA|СИСТЕМА|ADMIN|admin|系统|システム|시스템)[^\]】\n]{0,30}[\]】]/gm,
  ),
  pattern(
    'forged-authority',
    0.25,
    ['SYSTEM:', 'System message', 'SYSTEM MESSAGE'],
    /(?:^|["\n])\s{0,3}(?:SYSTEM:|System message from |SYSTEM MESSAGE)/g,
  ),
  pattern('forged-delimiter', 0.4, ['TRUSTED'], /^(?:BEGIN|END) (?:TRUSTED|VERIFIED|SYSTEM) [A-Z]{4,12}/gm),
  pattern(
    'forged-authority',
    0.35,
    ['end of '],
    /[-=]{2,} ?end of (?:document|context|data|input)[^\n]{0,20}[-=]{2,}\s{1,4}\S/gi,
  ),
  pattern(
    'forged-authority',
    0.45,
    ["user's own words", 'is over'],
    /what follows (?:is|are) (?:the )?(?:user|system|developer)/gi,
  ),
  pattern(
    'override',
    0.8,
    ['忽略', '无视', '忘记', '忘掉', '不要理会', '無視', '忘れ', '무시', '잊'],
    /(?:忽略|无视|忘记|忘掉|不要理会).{0,10}(?:指令|指示|规则|提示词|设定|限制)|(?:指示|命令|ルール|規則|プロンプト).{0,8}(?:無視|忘れ)|(?:지시|규칙|명령|지침).{0,8}(?:무시|잊)/g,
  ),
  pattern(
    'override',
    0.65,
    ['忽略用户', '質問を無視', '질문을 무시', '忽略用戶'],
    /忽略用户的?(?:问题|请求|要求)|ユーザーの?(?:質問|依頼|要求)を?無視|사용자의? ?(?:질문|요청)을? ?무시/g,
  ),
  pattern(
    'role-play',
    0.55,
    ['没有任何限制', '不受约束', '不受限制', '制限が解除', '制限はありません', '제한이 없', '关闭所有', '解除所有'],
    /没有任何限制|不受(?:任何)?(?:约束|限制)|制限(?:が|は)(?:解除|ありません)|제한이 없|(?:关闭|解除)(?:了)?所有(?:安全)?限制/g,
  ),
  pattern('role-play', 0.25, ['从现在开始', 'これから', '지금부터', '扮演'], /从现在开始|扮演|지금부터/g),
  pattern(
    'exfiltration',
    0.6,
    ['系统提示', 'システムプロンプト', '시스템 프롬프트'],
    /(?:输出|显示|告诉我|打印|泄露).{0,8}系统提示|系统提示词?.{0,6}(?:输出|显示)|システムプロンプト(?:を|の).{0,10}(?:表示|出力|教え)|시스템 프롬프트를?.{0,10}(?:출력|보여|공개)/g,
  ),
  pattern(
    'concealment',
    0.5,
    ['不要告诉用户', 'ユーザーには', '사용자에게'],
    /不要告诉用户|ユーザーに(?:は)?.{0,10}(?:知らせな|言わな|伝えな)|사용자에게.{0,10}(?:말하지|알리지)/g,
  ),
  pattern(
    'tool-order',
    0.5,
    ['无需确认', '確認せず', '확인 없이', '不需要确认'],
    /(?:执行|调用|运行).{0,20}(?:无需|不需要)确认|確認せずに.{0,12}実行|확인 없이.{0,12}실행/g,
  ),
  pattern(
    'addresses-model',
    0.4,
    ['人工智能助手', 'AI助手', 'AIアシスタント', 'AI 어시스턴트', '语言模型'],
    /(?:人工智能|AI)助手(?:的指令|[：:请必])|AIアシスタントへの指示|AI 어시스턴트에게|如果你是.{0,4}语言模型/g,
  ),
  pattern(
    'exfiltration',
    0.45,
    ['送信', '发送到', '보내'],
    /(?:内容|履歴|会話).{0,30}送信|(?:对话|记录|密码).{0,20}发送到|(?:대화|내용).{0,30}보내/g,
  ),
  pattern(
    'forged-authority',
    0.35,
    ['すべての要求', '所有请求', '모든 요청'],
    /すべての要求に従|执行(?:以下)?所有请求|모든 요청을? ?(?:수행|따르)/g,
  ),
]

function pattern(reason: InjectionReason, weight: number, signs: readonly string[], form: RegExp): Pattern {
  return { reason, weight, signs, form, isEastern: signs.every((sign) => hasIdeographs.test(sign)) }
}

/** Hits of one form that are noted; more say no more. */
const mostHits = 50

/** What is found by its form and not by its words. */
export function readPatterns(text: string): readonly Evidence[] {
  const found: Evidence[] = []
  const isWritten = hasIdeographs.test(text)
  for (const { reason, weight, signs, form, isEastern } of patterns) {
    if (isEastern && !isWritten) continue
    if (!signs.some((sign) => text.includes(sign))) continue
    let hits = 0
    for (const { index } of text.matchAll(form)) {
      found.push({ reason, weight, at: index })
      hits += 1
      if (hits >= mostHits) break
    }
  }
  return found
}
