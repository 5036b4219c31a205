/** POSIX names of errors, as tools print them. */
const errnoNames =
  'E(?:2BIG|ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|DQUOT|EXIST|FAULT|FBIG|HOSTDOWN|HOSTUNREACH|INVAL|IO|ISDIR|LOOP|MFILE|NAMETOOLONG|NETDOWN|NETUNREACH|NODEV|NOENT|NOEXEC|NOMEM|NOSPC|NOTCONN|NOTDIR|NOTEMPTY|NOTFOUND|NOTSUP|NXIO|PERM|PIPE|PROTO|ROFS|SRCH|TIMEDOUT|TXTBSY|XDEV|AI_AGAIN|RESOLVE|INTEGRITY|USAGE)'

/** What the C library says of errors, as the last words of a line. */
const posixWords =
  'No such file or directory|Permission denied|Is a directory|Not a directory|Operation not permitted|No space left on device|Directory not empty|File exists|Device or resource busy|Address already in use|Broken pipe|Connection (?:refused|reset by peer|timed out)|Host is down|No route to host|Network is unreachable|Name or service not known|Temporary failure in name resolution|Read-only file system|Invalid argument|Too many open files|Argument list too long|Cannot allocate memory|Exec format error|Text file busy|Input/output error|Bad file descriptor|command not found|not found|No module named \\S{1,100}'

const scope = String.raw`(?:[A-Za-z_$][\w$]{0,60}(?:\.|::|\\)){0,8}`
/** How a web server logs a request, up to the status that it was answered with. */
const accessed = String.raw`\S{1,80} \S{1,60} \S{1,60} \[\d\d\/[A-Z][a-z]{2}\/\d{4}:[^\]]{1,30}\] "[A-Z]{2,10} [^"]{0,600}"`

const surname = 'Error|Exception|Interrupt|DoesNotExist|NotReady|Configured|Returned|NotFound|Failure|Fault|Timeout'

/** The name of an exception, and what stands behind it. */
const exceptionForm = String.raw`${scope}(?:[A-Z][\w$]{0,60}?(?:${surname})|(?:StopIteration|SystemExit|GeneratorExit|AssertionError))`

/** Where something is: `src/a.ts:12:4`, `Cart.cs(12,20)`, `Cart.java:[12,23]`; and with words, `line 3`. */
const placePath = String.raw`(?:[A-Za-z]:)?[^\s:()"']{1,200}`
const positions = String.raw`(?:\(\d{1,7},\d{1,6}\)|:\d{1,7}(?::\d{1,6})?|:\[\d{1,7},\d{1,6}\])`

/** Lines by which tools state a failure, whatever shows them. */
export const certainForms: readonly RegExp[] = [
  /^\s*Traceback \(most recent call last\)/,
  new RegExp(`^ {0,4}${placePath}${positions}(?: -|:)? (?:fatal |syntax |internal )?error(?:[:\\[ ]|$)`),
  new RegExp(`^(?:e|error): (?:file://)?${placePath}${positions}`),
  new RegExp(`^vet: ${placePath}${positions}: `),
  new RegExp(`^${placePath}:\\d{1,7}:\\d{1,6}: [A-Z]{1,4}\\d{3,5}:? `),
  new RegExp(`^(?:\\w{1,20}:)?${placePath}:\\d{1,7}: ERROR: `),
  /^CMake Error(?: at \S|: )/,
  /^\s{1,8}\d{1,7}:\d{1,5}\s{1,8}error\s+\S/,
  /^[✘✗×✖❌] \[ERROR\] \S/,
  /^(?:fatal |internal )?error\[[A-Z]\w{1,12}\]: /,
  /^(?:npm|pnpm|yarn) (?:ERR!|error\b)/i,
  /^make(?:\[\d+\])?: \*\*\*/,
  /^panic: /,
  /^thread '[^']{0,200}' (?:\(\d{1,12}\) )?panicked at/,
  /^curl: \(\d{1,3}\) /,
  /^ {0,6}(?:HTTP\/\d(?:\.\d)?|HTTP(?: Error)?) [45]\d\d\b/,
  /^==\d{1,9}==\s?ERROR: /,
  /^[^\s:]{1,200}:\d{1,7}: Failure$/,
  /<title>\s{0,8}[45]\d\d\b/i,
  /^\s*"(?:isError|is_error)":\s?true/,
  new RegExp(`^${placePath}:\\d{1,7}:in .{1,300} \\(${scope}[A-Z]\\w{0,80}\\)$`),
]

/** Lines by which a tool states what has gone wrong. */
export const messageForms: readonly RegExp[] = [
  /^(?:E {3,}\S|Uncaught |Unhandled exception\b)/,
  new RegExp(`^(?:Caused by: |Exception in thread "[^"]{0,100}" )?${exceptionForm}(?: ?\\[\\w{1,60}\\])?(?::|$)`),
  new RegExp(`^${scope}error: \\S`, 'i'),
  new RegExp(`^(?:[A-Za-z_]\\w{0,60}(?:::|\\.)){1,8}[A-Z]\\w{0,80} \\(.{1,400}\\):?$`),
  /^\*\* \([A-Z][\w.]{0,80}\) /,
  /^(?:[\w./+-]{1,80}: ){0,3}(?:\d{1,4}: )?(?:fatal|error|fatal error|internal error|parse error|syntax error|runtime error)(?:\[\w+\]| TS\d+| [A-Z]\w+)?[:,] ?\S/i,
  /^(?:[\w./+-]{1,80}: )?\(?[^():\s]{1,80}(?: \w+)?\)?:\d{1,7}: (?:syntax error|attempt to )\b/,
  /^(?:error|E|e)(?: \d{3,5} \(\w{2,8}\).{0,80}?)?: \S/,
  /^(?:ERROR|FATAL|PANIC|CRITICAL|SEVERE)(?: \d{1,5}\b|\b(?! (?:pages?|messages?|handling|codes?)\b))/,
  /^[✘✗×✖❌] \[?(?:ERROR|Error)?\]? ?\S/,
  /^ {0,4}\[(?:error|fatal|emerg|alert|crit|critical|UNRESOLVED_\w+)\]:? \S/i,
  /^ ?ERR_[A-Z_]{3,60}\b/,
  /^(?:Failed to|Could not|Unable to|Can't|No changes made|No replacement was|Failure:|Command (?:failed|timed out|aborted)|Request failed|Access denied|Failed (?!tests?\b)\w{1,20}ing\b|Execution (?:of .{1,100} aborted|halted))/i,
  /^Cannot \w/,
  /^Invalid (?:arg|param|option|input|request|value|json|syntax|object|column)/i,
  /^(?:The )?(?:[\w-]{1,30} )?(?:connection|request|access|operation|command|process|job|build|upload|download)\b.{0,160}\b(?:failed|refused|denied|rejected|timed out|aborted|was lost|killed)\b/i,
  /^An error (?:occurred|happened)\b/i,
  /^[A-Z][\w ]{1,40}: Error: \S/,
  /^[\w.+-]{1,40}: (?:-e expression #\d{1,4}, char \d{1,6}|line \d{1,7}): \S/,
  /^(?:error|Error|ERROR)[ :!].{0,300}\S/,
  /^ {1,12}FAIL(?:ED)?: \S/,
  new RegExp(`^(?:\\S{1,60}: ){0,3}${errnoNames}[:,] `),
  new RegExp(`^(?:.{1,200}: ){1,4}(?:line \\d{1,7}: )?(?:.{0,200} ?[:(])? ?(?:${posixWords})[\\s.)]{0,4}$`, 'i'),
  /^(?:\S{1,120}: ){1,4}(?:cannot (?:open|access|find|stat)\b|can't \w|unrecognized option|invalid option|unterminated |unexpected |unknown option|illegal option|missing operand|No rule to make target|Unable to )/i,
  /^.{1,120}\bfailed: .{0,80}$/i,
  /^(?:sh|bash|zsh|\/bin\/\w+): /,
  /^(?:Segmentation fault|Bus error|Illegal instruction|Floating point exception|Killed\s*$|Terminated\s*$|Aborted\b|Fatal )/,
  /^(?:Out of memory: |Memory cgroup out of memory: |timeout: sending signal )/,
  /\bAssertion [`'"‘].{1,300}['"`’] failed\b/,
  /\bAssertion failed: \S/,
  /^(?:\S{1,200}\.o(?:bj)?|\S{1,200}:\(\.\w{1,20}\+0x[0-9a-f]{1,16}\)|ld(?:\.\w+)?): .{0,40}(?:undefined (?:reference|symbol)|multiple definition)/i,
  /\bat \S{1,200} line \d{1,7}\.$/,
  /^(?:patch: \*{4} |\d+ out of \d+ hunks? (?:ignored|FAILED)|Hunk #\d+ FAILED|Reversed \(or previously applied\) patch|Sorry: \w+Error\b)/,
  /^(?:Compilation failed|CONFLICT \(|Merge conflict| ?! \[(?:remote )?rejected\])/,
  /^(?:(?:ORA|PLS|TNS|SP2|IMP|EXP|RMAN)-\d{4,5}: |Msg \d{1,6}, Level (?:1[1-9]|2\d), |SQLSTATE\[|\w{1,20}: SQLSTATE)/,
  /^ {0,4}Warning {2,}\w{0,30}(?:Fail|BackOff|Err|Kill|OOM|Evict|Unhealthy)\w{0,30} /,
  /\s(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull|OOMKilled|CreateContainerConfigError|RunContainerError)\b/,
  /^[\w.@-]{1,80}(?:\[\d{1,9}\])?: (?:[\w.@-]{1,80}: )?(?:Error: |Failed (?:to|with)\b|Main process exited, code=(?:exited, status=[1-9]|killed|dumped))/,
  new RegExp(`^${accessed} 5\\d\\d\\b`),
  /^ {1,8}Active: failed\b/,
  /^(?:[\w-]{1,40}: )?[^{}]{0,120}\(HTTP [45]\d\d\)$/,
  /^(?:PHP )?(?:Fatal|Parse|Recoverable fatal) error: {1,2}\S/,
  /^[A-Za-z]+: Could not \w/,
  /^ {0,20}(?:\S{1,80} ){0,3}level=(?:error|fatal|critical|panic)\b/i,
  /^[EF]\d{4} \d\d:\d\d:\d\d\.\d{3,9} /,
  /^(?![0-9a-f]{7,40} )[\w.-]{0,40} ?(?:ERROR|FATAL|CRITICAL|SEVERE|EMERG)[\s:\]]/,
  /^\{.{0,400}"(?:level|severity|lvl|log\.level|levelname)":\s?(?:"(?:error|fatal|critical|crit|alert|emerg|emergency|panic)"|[56]0\b)/i,
  /^\s*\{?\s?"(?:error|errors|error_message|exception)":\s?(?:"[^"\s]{1,60}\s|\{ ?"|\{$|\[ ?[{"]|\[$)/i,
  /^\s*\{?"(?:success|ok)":\s?false\b/,
  /^\s*\{?"(?:status|state|conclusion)":\s?"(?:error|failed|failure)"/i,
  /^\s{0,24}\^-*\^? SC\d{4} \(error\): /,
]

/** Lines that say what has failed, before or after what they tell of it. */
export const titleForms: readonly RegExp[] = [
  /^(?:FAILED|FAIL|ERROR)(?:: [\w.-]{1,200} \(| \(|\s+\S*(?:::|\.py\b|\.[cm]?[jt]sx?\b|\/))/,
  /^ FAIL {1,4}\S/,
  /^FAIL: \S/,
  /^\s{0,12}(?:✕|✗|✘|×|❌|not ok\b|--- FAIL\b)\s*\S/,
  /^\S.{0,200}\.\.\. ?(?:\*{3})?(?:FAIL|ERROR)(?:ED)?\b/i,
  /^\S.{0,200}\.{3,} ?\*{3}(?:Failed|Exception|Timeout|Not Run)\b/,
  /^\(fail\) \S/,
  /^\[ {2}FAILED {2}\] \S+\.\S/,
  /^ {0,4}Failed [\w.]{3,200} \[/,
  /^\S.{0,200} (?:FAILED)$/,
  /^\[ERROR\] \S{1,200} .{0,80}<<< (?:FAILURE|ERROR)!/,
]

/** Lines that name what the lines after them are about, where those tell of a failure. */
export const headingForms: readonly RegExp[] = [
  /^_{1,80} [A-Za-z].{0,200} _{1,80}$/,
  /^-{4} .{1,200} stdout -{4}$/,
  /^ {0,4}\d{1,4}\) \S/,
  /^ {0,4}● \S.{0,120} › \S/,
  /^In \S.{0,200} line \d{1,7}:$/,
  /^TASK \[.{1,200}\] \*{3,}$/,
  /^(?:=== RUN {2,}|\[ RUN {6}\] )\S/,
  /^[\w-]{1,60}: \S{1,200}:\d{1,7}$/,
  /^ > \[.{1,40}\] .{1,200}:$/,
  /^(?:ERROR|FATAL) in \S/,
  /^\S{1,200}:\d{1,7}:\d{1,6} \S.{0,80} ━{3,}$/,
  /^(?:checking|patching) file \S/,
]

/** Lines that count, or that only say that there was something. */
export const summaryForms: readonly RegExp[] = [
  /^=+ .*\b[1-9]\d* (?:failed|errors?)\b/,
  /^FAILED \((?:failures|errors|skipped)=/,
  /^ {0,12}(?:Tests?|Test Files|Test Suites?|Suites?)\b:? .*\b[1-9]\d* failed\b/i,
  /^(?:Found (?:\d{1,6} (?:warnings?|fixable) and )?|✖ )?[1-9]\d{0,6} (?:problems? \(|errors?\b|failed\b|failing\b|failures?\b|FAILED TESTS?\b)/,
  /^ {1,8}(?:[1-9]\d{0,6} (?:fail(?:ed|ing)?|FAILED TESTS?|Error\(s\))$|[1-9]\d{0,6} failed\b)/,
  /^Found .{0,40}?\b[1-9]\d{0,6} errors?\b/,
  /^(?:✖ )?\d{1,6} problems? \([1-9]\d{0,6} errors?/,
  /^\d{1,6} (?:examples?|tests?|runs?|specs?)(?: completed)?, (?:\d{1,6} \w+, ){0,3}[1-9]\d{0,6} (?:failures?|errors?|failed)\b/,
  /^(?:\[ERROR\] )?Tests(?: run)?: \d{1,6}, .{0,80}\b(?:Failures|Errors): [1-9]/,
  /^# fail [1-9]/,
  /^\d{1,3}% tests passed, [1-9]\d{0,6} tests? failed/,
  /^Failed! {1,3}- Failed: {1,8}[1-9]/,
  /^(?:BUILD FAILED|BUILD FAILURE|Build failed|Build FAILED|FAIL$|FAILED$|ERRORS!|FAILURES!|test result: FAILED|FAILURE: |Automatic merge failed)/,
  /^\[INFO\] BUILD FAILURE/,
  /^\d{1,6} (?:passed, )?[1-9]\d{0,6} failed\b/,
  /^== .{1,200} FAIL\s*$/,
]
