import {
  child,
  children,
  isConstant,
  nameOf,
  nodesIn,
  textOf,
  type Node,
  type Source,
} from './syntax.ts'
import { DANGEROUS_SWITCHES } from './switches.ts'
import type { Report } from './windows.ts'

const PROTOCOL_METHODS = new Set([
  'setAsDefaultProtocolClient',
  'registerStandardSchemes',
  'registerServiceWorkerSchemes',
  'registerFileProtocol',
  'registerHttpProtocol',
  'registerStringProtocol',
  'registerBufferProtocol',
  'registerStreamProtocol',
  // The current name of the same API.
  'handle',
])
const TEXT_AS_CODE = new Set(['eval', 'Function', 'setTimeout', 'setInterval', 'setImmediate'])
const CODE_INTO_PAGES = new Set([
  'executeJavascript',
  'executeJavaScript',
  'executeJavaScriptInIsolatedWorld',
  'insertCSS',
])

/** Checks calls and assignments in one module. */
export function checkCalls(source: Source, report: Report): void {
  for (const node of source.nodes) {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') checkCall(node, report)
    else if (isPageMessages(node)) report('IPC_SENDER_JS_CHECK', 'HIGH', node)
    else if (node.type === 'AssignmentExpression') checkAssignment(node, report)
  }
}

function checkCall(call: Node, report: Report): void {
  const name = nameOf(child(call, 'callee'))
  const args = children(call, 'arguments')
  const [first] = args
  const text = textOf(first)
  switch (name) {
    case 'on':
    case 'once':
    case 'addListener':
      checkListener(call, text, args[1], report)
      break
    case 'appendSwitch':
    case 'appendArgument':
      if (text === null || DANGEROUS_SWITCHES.some((one) => text.includes(one)))
        report('CUSTOM_ARGUMENTS_JS_CHECK', 'MEDIUM', call)
      break
    case 'setCertificateVerifyProc':
    case 'importCertificate':
      report('CERTIFICATE_VERIFY_PROC_JS_CHECK', 'MEDIUM', call)
      break
    case 'openExternal':
      if (!isConstant(first)) report('OPEN_EXTERNAL_JS_CHECK', 'MEDIUM', call)
      break
    case 'setPermissionRequestHandler':
      report('PERMISSION_REQUEST_HANDLER_JS_CHECK', 'MEDIUM', call)
      break
    case 'loadURL':
      if (/^\s*http:\/\//i.test(text ?? '')) report('HTTP_RESOURCES_JS_CHECK', 'MEDIUM', call)
      break
    case 'exposeInMainWorld':
    case 'executeInMainWorld':
      if (!isConstant(args[1])) report('EXPOSED_API_JS_CHECK', 'HIGH', call)
      break
    case 'loadFile':
      report('FILE_PROTOCOL_JS_CHECK', 'MEDIUM', call)
      break
    default:
      if (PROTOCOL_METHODS.has(name) && isProtocolCall(call, name))
        report('PROTOCOL_HANDLER_JS_CHECK', 'MEDIUM', call)
  }
  if (isTextAsCode(call, name, first)) report('DANGEROUS_FUNCTIONS_JS_CHECK', 'MEDIUM', call)
}

/** Messages of pages must be handled in one place that validates the sender: `host.ipc`. */
function isPageMessages(node: Node): boolean {
  if (node.type === 'Identifier') return nameOf(node) === 'ipcMain'
  if (node.type !== 'MemberExpression' || nameOf(node) !== 'ipc') return false
  return nameOf(child(node, 'object')) !== 'host'
}

/** Many objects have a method `handle`. Only those of `protocol` and `ipcMain` are relevant. */
function isProtocolCall(call: Node, name: string): boolean {
  if (name !== 'handle') return true
  return nameOf(child(child(call, 'callee'), 'object')) === 'protocol'
}

function isTextAsCode(call: Node, name: string, first: Node | undefined): boolean {
  if (first === undefined) return false
  if (CODE_INTO_PAGES.has(name)) return !isConstant(first)
  if (!TEXT_AS_CODE.has(name)) return false
  // `eval` is reported with any text. Timers are reported only if they get text instead of a function.
  if (name === 'eval' || name === 'Function') return true
  return ['BinaryExpression', 'TemplateLiteral', 'Literal'].includes(first.type)
}

function checkListener(
  call: Node,
  event: string | null,
  handler: Node | undefined,
  report: Report,
): void {
  if (event === 'certificate-error') report('CERTIFICATE_ERROR_EVENT_JS_CHECK', 'MEDIUM', call)
  if (event !== 'will-attach-webview' || handler === undefined) return
  for (const node of nodesIn(handler)) {
    if (node.type === 'AssignmentExpression' && nameOf(child(node, 'left')) === 'nodeIntegration')
      report('NODE_INTEGRATION_ATTACH_EVENT_JS_CHECK', 'HIGH', node)
  }
}

function checkAssignment(node: Node, report: Report): void {
  if (nameOf(child(node, 'left')) === 'ELECTRON_DISABLE_SECURITY_WARNINGS')
    report('SECURITY_WARNINGS_DISABLED_JS_CHECK', 'INFORMATIONAL', node)
}
