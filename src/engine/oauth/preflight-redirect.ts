import type { PreflightCheck } from '#contract/integrations.ts'
import { isLoopback } from '#shared/text/address.ts'
import { withHttps, returnParameters } from './redirect.ts'

type Note = Omit<PreflightCheck, 'field' | 'redirectUrl'>

const schemesOfNoUse = new Set(['javascript:', 'data:', 'file:', 'about:', 'blob:'])

/** A note on the redirect URL; the suggestion is what it would be if it were mended. */
function note(
  what: string,
  outcome: PreflightCheck['outcome'],
  message: string,
  suggestion: string | null = null,
): Note {
  return { code: `redirect_url.${what}`, outcome, message, suggestion }
}

/** Looks at the redirect URL as entered. It must equal the dashboard's entry to the byte, so it is never mended here, only suggested. */
export function redirectNotes(text: string, listed: readonly string[]): Note[] {
  if (text === '') {
    return [note('missing', 'error', 'Enter a redirect URL, as it is listed on the dashboard.')]
  }
  const notes: Note[] = []
  if (/\s/.test(text)) {
    notes.push(
      note(
        'spaces',
        'warning',
        'The redirect URL has spaces or line ends in it. They count in the comparison with the dashboard.',
        text.trim().replaceAll(/\s/g, '%20'),
      ),
    )
  }
  const url = URL.parse(text)
  if (!url || schemesOfNoUse.has(url.protocol) || url.port === '0') {
    return [
      ...notes,
      note(
        'not_url',
        'error',
        'The redirect URL is not a complete URL. It must start with https://, or with http:// for this machine.',
        url ? null : withHttps(text),
      ),
    ]
  }
  if (!listed.includes(text)) {
    notes.push(
      note(
        'not_listed',
        'error',
        'This redirect URL is not among those of the integration. Add it to the list, exactly as on the dashboard.',
      ),
    )
  }
  if (text.includes('#')) {
    notes.push(
      note(
        'fragment',
        'error',
        'A redirect URL must not have a fragment (RFC 6749, section 3.1.2): browsers never send it.',
        text.slice(0, text.indexOf('#')),
      ),
    )
  }
  const reserved = returnParameters.filter((name) => url.searchParams.has(name))
  if (reserved.length > 0) {
    notes.push(
      note(
        'reserved_parameter',
        'error',
        `Its query has ${reserved.join(', ')} already, which the service adds to the redirect: two parameters of one name are ambiguous. Use another name.`,
      ),
    )
  }
  return [...notes, ...originNotes(text, url), ...pathNotes(text, url)]
}

function originNotes(text: string, url: URL): Note[] {
  const notes: Note[] = []
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(text.trim())?.[1] ?? ''
  const local = isLoopback(url.hostname)
  if (url.protocol === 'http:' && local) {
    notes.push(
      note(
        'loopback',
        'ok',
        `A listener on ${url.hostname}, port ${url.port || '80'}, serves ${url.pathname} during the run (RFC 8252, section 7.3). Nothing else may use that port.`,
      ),
    )
  } else if (url.protocol === 'https:' && local) {
    notes.push(
      note(
        'loopback_https',
        'warning',
        'Tabscope has no certificate for this machine, so it cannot serve this redirect URL. Its own window takes it all the same; in a browser, paste the address you land on.',
        text.replace(/^https:/i, 'http:'),
      ),
    )
  } else if (url.protocol === 'http:') {
    notes.push(
      note(
        'not_https',
        'warning',
        'The code would travel in the clear: a redirect URL is https, unless it is on this machine (RFC 6749, section 3.1.2.1).',
        text.replace(/^http:/i, 'https:'),
      ),
    )
  }
  if (url.hostname === 'localhost') {
    notes.push(
      note(
        'localhost',
        'warning',
        'RFC 8252, section 8.3, prefers 127.0.0.1: localhost may lead to another interface. Whichever you use, it must equal the dashboard’s entry.',
        text.replace(/localhost/i, '127.0.0.1'),
      ),
    )
  }
  const written = /:(80|443)$/.exec(authority)?.[1]
  if (written && url.port === '') {
    notes.push(
      note(
        'default_port',
        'warning',
        `The port ${written} is the usual one and most write the address without it. The dashboard’s entry must have it as well, or lack it as well.`,
        text.replace(`:${written}`, ''),
      ),
    )
  } else if (url.protocol === 'http:' && local && url.port === '') {
    notes.push(
      note(
        'default_port',
        'warning',
        'Without a port this is port 80, on which many systems let only administrators listen. Add another to the dashboard if it fails.',
      ),
    )
  }
  if (authority !== authority.toLowerCase()) {
    notes.push(
      note(
        'case',
        'warning',
        'The host has upper-case letters. Browsers convert them to lower case; an exact comparison does not.',
        text.replace(authority, authority.toLowerCase()),
      ),
    )
  }
  return notes
}

function pathNotes(text: string, url: URL): Note[] {
  const notes: Note[] = []
  if (/[A-Z]/.test(url.pathname)) {
    notes.push(note('case', 'ok', `The path’s case counts: ${url.pathname} is no other.`))
  }
  const bare = text.trim().replace(/[?#].*$/s, '')
  if (bare.endsWith('/')) {
    notes.push(
      note(
        'trailing_slash',
        'ok',
        'It ends with a slash. The dashboard’s entry must end with one too.',
      ),
    )
  } else if (url.pathname === '/') {
    notes.push(
      note(
        'trailing_slash',
        'ok',
        'It ends with the host, without a slash. The dashboard’s entry must end likewise.',
      ),
    )
  }
  return notes
}
