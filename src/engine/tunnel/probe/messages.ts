import { authorityOf } from '../../platform/http/failures.ts'
import type { HttpAnswer, HttpFailure, HttpFailureCode } from '../../platform/http/http.ts'
import { shownName } from '../../sending/prepare/header-list.ts'

/** What a missing or incomplete response means, and what to do. Follows the sentence that reports the failure. */
const afterFailure: Readonly<Record<HttpFailureCode, string>> = {
  unresolved: 'Check the network connection. A new host name can take a minute to resolve.',
  refused: "The tunnel's server or the reverse proxy is not running there. Check it.",
  reset: "The tunnel's server has probably lost its connection to Tabscope.",
  tls: 'Senders reject such a URL. Fix its certificate, or use another URL.',
  timeout: 'The tunnel hangs or is too slow for senders.',
  unreachable: 'Check the network connection.',
  malformed: 'Something other than an HTTP tunnel listens there. Check the URL.',
  invalid_request: 'Check the URL.',
  aborted: '',
}

/** Contains nothing that the other side sent. */
export function failureSentence({ code, message }: HttpFailure, url: URL): string {
  if (code === 'aborted') return 'The check was cancelled before a response was received.'
  const subject = message.startsWith(authorityOf(url)) ? 'The address ' : ''
  return `${subject}${message} ${afterFailure[code]}`
}

/** For a response that Tabscope did not send. Text from the other side is truncated and escaped. */
export function foreignResponseSentence(url: URL, answer: HttpAnswer, text: string): string {
  const { status } = answer
  const at = `The address ${authorityOf(url)}`
  const location = headerOf(answer, 'location')
  if (status >= 300 && status < 400 && location !== null) return redirectSentence(url, location)
  const title = titleOf(text)
  if (status < 200 || status >= 300) {
    return `${at} responded with ${status}${title}: ${meaningOf(status)}${ngrokCode(answer)}`
  }
  return isPage(answer, text)
    ? `${at} responded with an HTML page${title} instead of Tabscope's response. The page belongs to the tunnel's server or to a network that requires a login. Open ${url.origin} in a browser to check.`
    : `${at} responded with ${status}, but not from Tabscope: something else uses this URL. Reopen the tunnel, or check where the URL leads.`
}

/** By the content type or the beginning of the body. */
export function isPage(answer: HttpAnswer, text: string): boolean {
  return (
    /^(text\/html|application\/xhtml\+xml)\b/i.test(headerOf(answer, 'content-type') ?? '') ||
    /^\s*(<!doctype html|<html\b)/i.test(text)
  )
}

function redirectSentence(url: URL, location: string): string {
  if (!URL.canParse(location, url.href)) {
    return `The address ${authorityOf(url)} responded with a redirect without a target. Senders do not follow redirects: use a URL that responds directly.`
  }
  const to = new URL(location, url)
  const advice =
    to.hostname === url.hostname && to.protocol === 'https:' && url.protocol === 'http:'
      ? 'Use the URL with https.'
      : 'Use a URL that responds directly.'
  return `The address ${authorityOf(url)} responded with a redirect to ${shownName(to.origin)}. Senders do not follow redirects. ${advice}`
}

function meaningOf(status: number): string {
  switch (status) {
    case 401:
    case 403:
    case 407:
      return 'something in front of Tabscope requires authentication. Exempt /hooks/ from it.'
    case 404:
    case 410:
      return "its server does not know this tunnel, or does not forward /hooks/_probe. Reopen the tunnel, or check the reverse proxy's paths."
    case 405:
      return 'something in front of Tabscope blocks POST. Allow it for /hooks/.'
    case 408:
    case 504:
    case 522:
    case 524:
      return 'its server reached Tabscope, but got no response in time. The tunnel hangs, or is too slow.'
    case 413:
      return 'something in front of Tabscope rejects bodies of this size.'
    case 429:
      return 'its server limits the request rate. Wait a while, or use another server.'
    case 502:
    case 521:
    case 523:
    case 530:
      return 'its server runs, but has lost its connection to Tabscope.'
    case 503:
      return 'its server has no free connection to Tabscope. Wait, or reopen the tunnel.'
    case 511:
      return 'a network in between requires a login. Log in with a browser.'
    default:
      return status >= 500
        ? "its server failed or cannot reach Tabscope. Wait, or check the server's log."
        : 'something in front of Tabscope responds instead. Check where the URL leads.'
  }
}

/** ngrok reports what is wrong as an error code in its own response header. */
function ngrokCode(answer: HttpAnswer): string {
  const code = headerOf(answer, 'ngrok-error-code')
  return code === null ? '' : ` ngrok error code: ${shownName(code)}.`
}

function titleOf(text: string): string {
  const title = /<title[^>]{0,200}>([^<]{1,300})/i.exec(text)?.[1]?.trim() ?? ''
  return title === '' ? '' : ` (${shownName(title.replaceAll(/\s+/g, ' '))})`
}

function headerOf({ headers }: HttpAnswer, name: string): string | null {
  return headers.find(([found]) => found.toLowerCase() === name)?.[1] ?? null
}
