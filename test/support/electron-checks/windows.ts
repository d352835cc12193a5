import type { Severity } from './finding.ts'
import { child, children, nameOf, propertiesOf, type Node, type Source } from './syntax.ts'

export type Report = (id: string, severity: Severity, node: Node) => void

/** Constructors that create pages. */
const MAKERS = new Set(['BrowserWindow', 'BrowserView', 'WebContentsView'])

/** Options that must be set explicitly to this value. */
const NEEDED = [
  ['contextIsolation', 'CONTEXT_ISOLATION_JS_CHECK', 'HIGH'],
  ['sandbox', 'SANDBOX_JS_CHECK', 'MEDIUM'],
] as const

/** Options that must not have this value. Null: must not be set. */
const FORBIDDEN = [
  ['allowRunningInsecureContent', true, 'INSECURE_CONTENT_JS_CHECK', 'MEDIUM'],
  ['enableBlinkFeatures', null, 'BLINK_FEATURES_JS_CHECK', 'LOW'],
  ['blinkFeatures', null, 'BLINK_FEATURES_JS_CHECK', 'LOW'],
  ['enableRemoteModule', true, 'REMOTE_MODULE_JS_CHECK', 'MEDIUM'],
  ['experimentalFeatures', true, 'EXPERIMENTAL_FEATURES_JS_CHECK', 'LOW'],
  ['experimentalCanvasFeatures', true, 'EXPERIMENTAL_FEATURES_JS_CHECK', 'LOW'],
  ['nodeIntegration', true, 'NODE_INTEGRATION_JS_CHECK', 'HIGH'],
  ['nodeIntegrationInWorker', true, 'NODE_INTEGRATION_JS_CHECK', 'HIGH'],
  ['nodeIntegrationInSubFrames', true, 'NODE_INTEGRATION_JS_CHECK', 'HIGH'],
  ['preload', null, 'PRELOAD_JS_CHECK', 'MEDIUM'],
  ['webSecurity', false, 'WEB_SECURITY_JS_CHECK', 'MEDIUM'],
  ['webviewTag', true, 'WEBVIEW_TAG_JS_CHECK', 'HIGH'],
] as const

/** Checks the options of each created window. */
export function checkWindows(source: Source, report: Report): void {
  for (const made of source.nodes) {
    if (made.type !== 'NewExpression' || !MAKERS.has(nameOf(child(made, 'callee')))) continue
    checkOptions(made, propertiesOf(children(made, 'arguments')[0], source), report)
  }
}

/** Checks objects in all files for forbidden window options. */
export function checkObjects(source: Source, report: Report): void {
  const objects = source.nodes.filter(({ type }) => type === 'ObjectExpression')
  for (const node of objects.flatMap((object) => children(object, 'properties'))) {
    for (const [name, value, id, severity] of FORBIDDEN) {
      // A value that is not a literal could be the wrong one.
      if (nameOf(node) === name && (value === null || !isLiteral(node, !value)))
        report(id, severity, node)
    }
    for (const [name, id, severity] of NEEDED) {
      if (nameOf(node) === name && !isLiteral(node, true)) report(id, severity, node)
    }
  }
}

function checkOptions(made: Node, options: readonly Node[], report: Report): void {
  for (const [name, id, severity] of NEEDED) {
    if (!options.some((option) => nameOf(option) === name)) report(id, severity, made)
  }
  const features = options.filter((option) => nameOf(option) === 'disableBlinkFeatures')
  if (features.length === 0) report('AUXCLICK_JS_CHECK', 'MEDIUM', made)
  for (const option of features) {
    const value = child(option, 'value')?.['value']
    if (!String(value).includes('Auxclick')) report('AUXCLICK_JS_CHECK', 'MEDIUM', option)
  }
}

function isLiteral(option: Node, value: boolean): boolean {
  return child(option, 'value')?.['value'] === value
}
