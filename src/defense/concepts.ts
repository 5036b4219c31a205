/** What words mean to a detector of orders. Words of one meaning in several languages are one concept. */
export const concepts = [
  'override',
  'rules',
  'yours',
  'before',
  'all',
  'told',
  'you',
  'user',
  'model',
  'reveal',
  'system',
  'prompt',
  'secret',
  'send',
  'talk',
  'call',
  'ask',
  'not',
  'tell',
  'become',
  'free',
  'from',
  'now',
  'must',
  'mode',
  'admin',
  'void',
  'priority',
  'stop',
  'follow',
  'obey',
  'this',
  'praise',
  'new',
  'task',
  'if',
  'note',
  'meta',
  'response',
  'hide',
  'maker',
  'verified',
  'limits',
  'command',
  'address',
] as const
export type Concept = (typeof concepts)[number]

/**
 * Words by concept. A word that ends in `*` stands for all that begin like it, and has four letters at least before the star.
 * English, German, Spanish, French, Italian, Portuguese, Russian, Turkish, Polish, Dutch, Arabic, Hindi.
 */
export const conceptWords: Readonly<Record<Concept, string>> = {
  override:
    'ignore ignorez ignora ignorar ignoren ignoriere ignorier ignoriert ignorieren ignorad ignoren ignorate disregard neglect override overrule bypass forget vergiss vergesst missachte missachten überschreib* olvida olvídate olvide olvidar oublie oubliez dimentica dimenticate esqueça esquece desconsidere negeer vergeet игнорируй игнорируйте игнорировать забудь забудьте zignoruj zapomnij pomiń yok unut تجاهل تجاهلي انس انسى अनदेखा नज़रअंदाज़ भूल',
  rules:
    'instruction instructions rule rules guideline guidelines directive directives direction directions policy policies restriction restrictions constraints orders safeguards safety anweisung anweisungen regel regeln richtlinie richtlinien sicherheitsrichtlinien vorgaben instrucción instrucciones regla reglas directrices restricciones consigne consignes instruction règle règles directive istruzione istruzioni regole instruções regras instrução инструкц* правил* указани* ограничени* instrukcj* zasad* talimat* kural* instructies regels التعليمات تعليمات القواعد الأوامر निर्देशों निर्देश नियमों',
  yours:
    'your yours dein deine deinen deiner deinem ihre ihren tu tus su sus ton tes votre vos tuo tuoi tue suo seu seus suas твой твои свой свои свою твою twój swoje swój senin sistemin الخاص अपना अपने',
  before:
    'previous previously prior above earlier preceding former initial beginning foregoing existing vorherig* vorig* bisherig* obig* früher* oben anterior* previas previos arriba précédent* antérieur* dessus precedent* precedenti anterior* acima предыдущ* прошл* выше wcześniejsz* poprzedni* önceki vorige eerdere السابقة السابق पिछले पिछली ऊपर',
  all: 'all everything every any entire alle allen alles sämtliche todas todos todo toutes tous tout tutte tutti todas все всё wszystkie tüm bütün جميع كل सभी',
  told: 'told said given learned instructed trained gesagt wurden dieron dijeron said ont detto disseram сказали',
  you: 'you yourself du dich dir sie ihr usted eres vous tu te você ты тебе вы sen आप',
  user: 'user users reader customer human benutzer nutzer nutzers benutzers usuario usuarios utilisateur utilisateurs utente usuário usuários пользовател* użytkownik* kullanıcı المستخدم उपयोगकर्ता developer supervisor owner',
  model:
    'assistant assistants ai llm llms chatbot bot agent agents gpt chatgpt claude gemini copilot model models assistent assistenten ki sprachmodell modell asistente ia modelo assistant ia modèle assistente modello ассистент* ии модель asystent yapay المساعد النموذج सहायक machine',
  reveal:
    'reveal print show output display disclose expose leak dump recite repeat zeig zeige gib ausgeben nenne verrate wiederhole offenbare muestra muéstrame mostrar revela imprime affiche affichez révèle révélez montre donne rivela mostra mostre revele imprima exiba покажи покажите выведи выведите раскрой напечатай pokaż wyświetl ujawnij göster yazdır toon اعرض أظهر اكشف दिखाओ बताओ',
  system:
    'system sistema système systemowy системн* hidden secret original initial internal developer النظام sistem सिस्टम versteckte systemprompt',
  prompt:
    'prompt prompts systemprompt instructions message configuration instrucciones mensaje consignes anweisungen instruções istruzioni промпт* сообщени* invite istemini istem موجه प्रॉम्प्ट',
  secret:
    'password passwords passwort passwörter passcode credentials credential secrets secret token tokens contraseña contraseñas passe identifiants senha senhas пароль пароля пароли hasło şifre wachtwoord rsa ssh env keys apikey calendar contacts kalender rubrica address email backups key',
  send: 'send forward upload include post transmit exfiltrate email mail deliver submit append sende senden schicke schick leite weiterleiten envía envíe enviar envoyez envoie envoyer invia inviare envie enviem отправь отправьте перешли wyślij gönder stuur أرسل भेजो',
  talk: 'conversation conversations history messages chat transcript mailbox verlauf unterhaltung gespräch conversación conversation conversazione conversa переписк* разговор* konuşma المحادثة बातचीत',
  call: 'call run execute invoke use curl export delete transfer wire approve refund führe rufe ejecuta ejecute llama exécute exécutez appelle esegui chiama execute executem выполни выполните вызови uruchom wykonaj çalıştır شغل चलाओ fetch push',
  ask: 'asking ask confirmation confirmations confirm consent approval fragen nachfrage nachfragen bestätigung preguntar confirmación demander confirmation chiedere conferma perguntar confirmação спрашивая подтверждени* pytania sormadan consulting',
  not: 'not never without don doesn dont cannot nicht nie niemals ohne keine kein nichts no nunca sin ne pas jamais sans aucune aucun plus non mai senza não nunca sem nem не нет без никогда nie bez deme لا بدون मत बिना instead',
  tell: 'tell mention inform notify say report warn alert sage sagen sag erwähne erwähnen informiere di digas menciones mencionar decir dites dis mentionnez dire menzionare mencione diga говори говорите сообщай упоминай mów wspominaj söyleme تخبر बताना mentioning telling informing',
  become:
    'become act pretend roleplay simulate play behave spiel spiele tu tue stell verhalte actúa finge simula agis joues joue faites fingi agisci interpreta finja aja притворись представь сыграй действуй udawaj gibi davran تصرف बनो imagine impersonate',
  free: 'refuse refuses ignores unrestricted unfiltered uncensored jailbroken limitless dan unlimited unbound amoral unconstrained uneingeschränktes uneingeschränkt uneingeschränkter',
  from: 'from ab à a depuis da с от od itibaren desde partir',
  now: 'now jetzt ahora maintenant adesso agora теперь сейчас teraz şimdi nu الآن अब',
  must: 'must should shall have has ought need muss müssen sollst debe debes doit devez deve deves devem должен обязан musi moet please immediately proceed comply execute answer only treat do respond reply',
  mode: 'mode modus modo режим режиме tryb',
  admin:
    'admin administrator root owner superuser authorised authorized authorisation authorization betreiber operator administrador administrateur amministratore администратор* yönetici مدير प्रशासक openai anthropic google deepmind microsoft security',
  void: 'void lifted suspended disabled deactivated obsolete invalid revoked replaced outdated aufgehoben deaktiviert ungültig gilt desactivadas desactivada anuladas anulada suspendues désactivées levées sospese disattivate desativadas снят* отменен* отключен* zniesione devre kaldırıldı override geändert',
  priority:
    'priority supersede supersedes precedence highest overrides replaces vorrang prioridad priorité priorità prioridade приоритет* outranks replace',
  stop: 'stop stops cease quit abandon hör höre deja deje arrête arrêtez smetti pare перестань прекрати przestań skip drop',
  follow:
    'following follow obeying obey comply complying befolge befolgen folge sigas seguir suis suivre suivez seguire следуй следовать',
  obey: 'obey comply fulfil gehorche befolge obedece obéis obéissez obbedisci obedeça подчиняйся выполняй выполняйте',
  this: 'this dies diesen diese hinweis esta este cette cela questa questo isto esta этом это tego bunu هذا इस it',
  praise:
    'recommend recommends rate praise best positive hire hiring empfiehl empfehle recomienda recommandez consiglia recomende рекомендуй polecaj tavsiye favour',
  new: 'new neue neuen neues nueva nuevas nuevo nouvelle nouvelles nuove nuovo nova novas новые новая новый nowe yeni actual real true echte',
  task: 'task goal objective purpose mission question request aufgabe frage anfrage ziel tarea pregunta solicitud tâche demande question compito domanda tarefa pedido pergunta задача задание запрос вопрос zadanie görev objective reviews',
  if: 'if wenn falls si se если jeśli eğer إذا यदि when',
  note: 'note notice attention hinweis anweisung achtung nota aviso avis atención attenzione atenção внимание uwaga dikkat dear hey hello instructions instruction message for important',
  meta: 'injection injections jailbreak jailbreaks jailbreaking attack attacks attacker attackers attackiert detect detects detector detection phrase phrases example examples red-team redteam guardrail guardrails classifier malicious owasp vulnerability adversarial refused defence defense erkannt angriff ataque attaque атака regex regular sentence sentences translate phishing advisory tokens tokenizer template wrapped',
  response: 'response answer reply output summary antwort respuesta réponse risposta resposta ответ',
  hide: 'hide hidden conceal secret secretly verschweige oculta cacher cache nascondi esconda скрой ukryj conceal',
  maker:
    'developer developers creator owner administrator entwickler desarrollador développeur sviluppatore desenvolvedor разработчик* programmer company',
  verified:
    'verified authorised authorized approved granted permission permissions verifiziert verificado vérifié verificato',
  limits:
    'restriction restrictions limits limit filter filters rules censorship safety boundaries guidelines confirmations restricciones límites limites règle règles limiti restrizioni restrições einschränkungen schranken regeln beschränkungen richtlinien sicherheitsrichtlinien ограничени* правил* kısıtlama limitations policy',
  address: 'http https www mailto',
  command: 'rm curl wget bash sh sudo chmod eval git scp nc powershell',
}
