import { z } from 'zod'
import type { Finding, Severity } from './finding.ts'
import { DANGEROUS_SWITCHES } from './switches.ts'

/** Checks dangerous attributes of `<webview>`. `webpreferences` is parsed as text. */
const WEBVIEW: readonly (readonly [RegExp, string, Severity])[] = [
  [/\ballowpopups\b/i, 'ALLOWPOPUPS_HTML_CHECK', 'LOW'],
  [/\b(?:enable)?blinkfeatures\s*=/i, 'BLINK_FEATURES_HTML_CHECK', 'LOW'],
  [/\bsrc\s*=\s*["']?http:/i, 'HTTP_RESOURCES_HTML_CHECK', 'MEDIUM'],
  [/allowRunningInsecureContent/i, 'INSECURE_CONTENT_HTML_CHECK', 'MEDIUM'],
  [/\bnodeintegration\b/i, 'NODE_INTEGRATION_HTML_CHECK', 'HIGH'],
  [/\bdisablewebsecurity\b/i, 'WEB_SECURITY_HTML_CHECK', 'MEDIUM'],
  [/experimental(?:Canvas)?Features/i, 'EXPERIMENTAL_FEATURES_HTML_CHECK', 'LOW'],
  [/\bpreload\s*=/i, 'PRELOAD_HTML_CHECK', 'MEDIUM'],
  [/\baffinity\s*=/i, 'AFFINITY_GLOBAL_CHECK', 'MEDIUM'],
  [/^/, 'WEBVIEW_TAG_HTML_CHECK', 'HIGH'],
]

const UNSAFE = /'unsafe-(?:inline|eval|hashes)'|'wasm-unsafe-eval'|(?:script|default)-src[^;"]*\*/i

export function checkHtml(file: string, text: string): Finding[] {
  const findings: Finding[] = []
  for (const { 0: tag, index } of text.matchAll(/<webview\b[^>]*>/gi)) {
    const at = lineAt(text, index)
    for (const [sign, id, severity] of WEBVIEW) {
      // Properties shared by several windows belong to the whole app.
      const line = id === 'AFFINITY_GLOBAL_CHECK' ? 0 : at
      if (sign.test(tag)) findings.push({ id, severity, file, line })
    }
    if (!/disableblinkfeatures\s*=\s*["'][^"']*Auxclick/i.test(tag))
      findings.push({ id: 'AUXCLICK_HTML_CHECK', severity: 'MEDIUM', file, line: at })
  }
  for (const { 0: tag, index } of text.matchAll(/<meta\b[^>]*content-security-policy[^>]*>/gi)) {
    const line = lineAt(text, index)
    if (UNSAFE.test(tag)) findings.push({ id: 'CSP_GLOBAL_CHECK', severity: 'LOW', file, line })
  }
  return findings
}

/** A content security policy in a module. */
export function isUnsafePolicy(policy: string): boolean {
  return UNSAFE.test(policy)
}

const Manifest = z.object({
  scripts: z.record(z.string(), z.string()).default({}),
  config: z.record(z.string(), z.unknown()).default({}),
})

export function checkManifest(file: string, text: string): Finding[] {
  const { scripts, config } = Manifest.parse(JSON.parse(text))
  const findings: Finding[] = []
  for (const value of [...Object.values(scripts), ...Object.values(config)]) {
    const words = typeof value === 'string' ? value : JSON.stringify(value)
    const line = lineAt(text, text.indexOf(words))
    if (DANGEROUS_SWITCHES.some((one) => words.includes(`--${one}`)))
      findings.push({ id: 'CUSTOM_ARGUMENTS_JSON_CHECK', severity: 'MEDIUM', file, line })
    if (words.includes('ELECTRON_DISABLE_SECURITY_WARNINGS')) {
      const id = 'SECURITY_WARNINGS_DISABLED_JSON_CHECK'
      findings.push({ id, severity: 'INFORMATIONAL', file, line })
    }
  }
  return findings
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
