import { checkCalls } from './calls.ts'
import { checkHtml, checkManifest, isUnsafePolicy } from './documents.ts'
import { WHOLE_APP, type Finding } from './finding.ts'
import { child, children, nameOf, readSource, textOf, type Node, type Source } from './syntax.ts'
import { checkObjects, checkWindows, type Report } from './windows.ts'

/** Modules without any of these words cannot have findings, so most modules need not be parsed. */
const MENTIONS =
  /electron|ELECTRON_DISABLE|\beval\b|\bFunction\(|set(?:Timeout|Interval|Immediate)\(|ipc|InMainWorld|executeJava|insertCSS|-src\b|openExternal|append(?:Switch|Argument)|protocol|Certificate|certificate-error|setPermission|load(?:URL|File)/

/**
 * Runs the checks of electronegativity and some additional ones on an app's files (path → text). Throws if a module cannot be parsed.
 * `.github/SECURITY.md` explains why electronegativity itself is not used.
 */
export function checkApp(files: Readonly<Record<string, string>>): Finding[] {
  const findings: Finding[] = []
  const sources: Source[] = []
  for (const [file, text] of Object.entries(files)) {
    if (file.endsWith('.html')) findings.push(...checkHtml(file, text))
    else if (file.endsWith('package.json')) findings.push(...checkManifest(file, text))
    else if (MENTIONS.test(text)) sources.push(readSource(file, text))
  }
  for (const source of sources) findings.push(...checkSource(source))
  findings.push(...checkWhole(sources, findings))
  return findings.toSorted(
    (a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.id.localeCompare(b.id),
  )
}

function checkSource(source: Source): Finding[] {
  const { file } = source
  const findings: Finding[] = []
  const report: Report = (id, severity, node) =>
    findings.push({ id, severity, file, line: source.lineOf(node) })
  checkCalls(source, report)
  checkPolicies(source, report)
  // In other files the option's name has no special meaning.
  if (importsElectron(source)) {
    checkWindows(source, report)
    checkObjects(source, report)
  }
  return findings
}

function checkPolicies(source: Source, report: Report): void {
  for (const node of source.nodes) {
    const text = textOf(node)
    if (text !== null && /\b\w+-src\b/.test(text) && isUnsafePolicy(text))
      report('CSP_GLOBAL_CHECK', 'LOW', node)
  }
}

/** Findings that require all files. */
function checkWhole(sources: readonly Source[], found: readonly Finding[]): Finding[] {
  const electron = sources.filter(importsElectron)
  const whole = { file: WHOLE_APP, line: 0 }
  const findings: Finding[] = []
  if (electron.length > 0 && !limitsNavigation(electron))
    findings.push({ id: 'LIMIT_NAVIGATION_GLOBAL_CHECK', severity: 'HIGH', ...whole })
  const has = (start: string): boolean => found.some(({ id }) => id.startsWith(start))
  if (electron.length > 0 && !has('PERMISSION_REQUEST_HANDLER'))
    findings.push({ id: 'PERMISSION_REQUEST_HANDLER_GLOBAL_CHECK', severity: 'MEDIUM', ...whole })
  if (has('HTTP_RESOURCES') && has('NODE_INTEGRATION')) {
    const id = 'HTTP_RESOURCES_WITH_NODE_INTEGRATION_GLOBAL_CHECK'
    findings.push({ id, severity: 'MEDIUM', ...whole })
  }
  return findings
}

function limitsNavigation(sources: readonly Source[]): boolean {
  const calls = sources.flatMap(({ nodes }) => nodes.filter((node) => isCall(node)))
  const named = calls.map((call) => nameOf(child(call, 'callee')))
  const events = calls.map((call) => textOf(children(call, 'arguments')[0]))
  return named.includes('setWindowOpenHandler') && events.includes('will-navigate')
}

const isCall = ({ type }: Node): boolean => type === 'CallExpression'

function importsElectron({ nodes }: Source): boolean {
  return nodes.some(
    (node) => node.type === 'ImportDeclaration' && textOf(child(node, 'source')) === 'electron',
  )
}
