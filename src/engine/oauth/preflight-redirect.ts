import type { PreflightCheck } from '#contract/integrations.ts'
import { isLoopback } from '#shared/text/address.ts'
import { withHttps, redirectParameterNames } from './redirect.ts'

const unusableSchemes = new Set(['javascript:', 'data:', 'file:', 'about:', 'blob:'])

/** `name`: of the check among those of its field. */
export type AddCheck = (
  name: string,
  outcome: PreflightCheck['outcome'],
  message: string,
  suggestion?: string | null,
) => void

/** The redirect URL must exactly equal the dashboard's entry, so corrections are suggested, never applied. */
export function checkRedirectUrl(text: string, listed: readonly string[], add: AddCheck): void {
  if (text === '') {
    return add('missing', 'error', 'Enter a redirect URL exactly as listed on the dashboard.')
  }
  if (/\s/.test(text)) {
    add(
      'spaces',
      'warning',
      'The redirect URL contains spaces or line breaks. They count in the comparison with the dashboard.',
      text.trim().replaceAll(/\s/g, '%20'),
    )
  }
  const url = URL.parse(text)
  if (!url || unusableSchemes.has(url.protocol) || url.port === '0') {
    return add(
      'not_url',
      'error',
      'The redirect URL is not a complete URL. It must start with https://, or with http:// for this machine.',
      url ? null : withHttps(text),
    )
  }
  if (!listed.includes(text)) {
    add(
      'not_listed',
      'error',
      'This redirect URL is not in the integration’s list. Add it exactly as on the dashboard.',
    )
  }
  if (text.includes('#')) {
    add(
      'fragment',
      'error',
      'A redirect URL must not have a fragment (RFC 6749, section 3.1.2): browsers never send it.',
      text.slice(0, text.indexOf('#')),
    )
  }
  const reserved = redirectParameterNames.filter((name) => url.searchParams.has(name))
  if (reserved.length > 0) {
    add(
      'reserved_parameter',
      'error',
      `Its query already has ${reserved.join(', ')}, which the service adds to the redirect. Two parameters with the same name are ambiguous. Use another name.`,
    )
  }
  checkOrigin(text, url, add)
}

function checkOrigin(text: string, url: URL, add: AddCheck): void {
  const local = isLoopback(url.hostname)
  if (url.protocol === 'http:' && local) {
    add(
      'loopback',
      'ok',
      `Tabscope listens on ${url.hostname}, port ${url.port || '80'}, and serves ${url.pathname} during the run (RFC 8252, section 7.3). Nothing else may use that port.`,
    )
  } else if (url.protocol === 'https:' && local) {
    add(
      'loopback_https',
      'warning',
      'Tabscope has no certificate for this machine, so it cannot serve this redirect URL. Tabscope’s own window still catches the redirect. In a browser, paste the address you land on.',
      text.replace(/^https:/i, 'http:'),
    )
  } else if (url.protocol === 'http:') {
    add(
      'not_https',
      'warning',
      'The code would be sent unencrypted. A redirect URL must use https unless it is on this machine (RFC 6749, section 3.1.2.1).',
      text.replace(/^http:/i, 'https:'),
    )
  }
  if (url.hostname === 'localhost') {
    add(
      'localhost',
      'warning',
      'RFC 8252, section 8.3, recommends 127.0.0.1: localhost may resolve to another interface. Either way, it must equal the dashboard’s entry.',
      text.replace(/localhost/i, '127.0.0.1'),
    )
  }
}
