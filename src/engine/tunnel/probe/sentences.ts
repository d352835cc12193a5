import { authorityOf } from '../../platform/http/failures.ts'
import type { HttpAnswer, HttpFailure, HttpFailureCode } from '../../platform/http/http.ts'
import { shownName } from '../../sending/prepare/header-list.ts'

/** What no whole answer means for a tunnel, and what to do: behind the sentence that says what was seen. */
const afterFailure: Readonly<Record<HttpFailureCode, string>> = {
  unresolved:
    'Look at the connection to the network. A name that was just given may take a minute to be known.',
  refused: "The tunnel's server, or the reverse proxy, does not run there. Look at it.",
  reset: "Most likely the tunnel's server has lost its connection to Tabscope.",
  tls: 'Senders reject such a URL. Fix its certificate, or use another URL.',
  timeout: 'The tunnel hangs, or is too slow for senders.',
  unreachable: 'Look at the connection to the network.',
  malformed: 'Something else than a tunnel for HTTP listens there. Look at the address.',
  invalid_request: 'Look at the address.',
  aborted: '',
}

/** Why no whole answer came, and what to do. Of what others sent it holds nothing. */
export function failureSentence({ code, message }: HttpFailure, url: URL): string {
  if (code === 'aborted') return 'It was cancelled before a response arrived.'
  const beginning = message.startsWith(authorityOf(url)) ? 'The address ' : ''
  return `${beginning}${message} ${afterFailure[code]}`
}

/** What an answer means that is no Tabscope's, and what to do. What others wrote is cut and written out. */
export function otherAnswerSentence(url: URL, answer: HttpAnswer, text: string): string {
  const { status } = answer
  const at = `The address ${authorityOf(url)}`
  const location = headerOf(answer, 'location')
  if (status >= 300 && status < 400 && location !== null) return redirectSentence(url, location)
  const said = titleOf(text)
  if (status < 200 || status >= 300) {
    return `${at} answered ${status}${said}: ${meaningOf(status)}${ngrokCode(answer)}`
  }
  return isPage(answer, text)
    ? `${at} answered with an HTML page${said} in Tabscope's place: a page of the tunnel's server, or of a network that asks to log in. Open ${url.origin} in a browser and look.`
    : `${at} answers ${status}, but the response is not from Tabscope: something else uses this URL. Reopen the tunnel, or check where the URL leads.`
}

/** By its headers or its beginning. */
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
      ? 'Use the address with https.'
      : 'Use a URL that responds directly.'
  return `The address ${authorityOf(url)} answered with a redirect to ${shownName(to.origin)}. Senders of webhooks follow none. ${advice}`
}

function meaningOf(status: number): string {
  switch (status) {
    case 401:
    case 403:
    case 407:
      return 'something in front of Tabscope asks for a permission that senders do not have. Let /hooks/ through without one.'
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
      return 'something in front of Tabscope takes no body of this size.'
    case 429:
      return 'its server is asked too often. Wait a while, or use another server.'
    case 502:
    case 521:
    case 523:
    case 530:
      return 'its server is there, but does not reach Tabscope: the connection between the two is gone.'
    case 503:
      return 'its server has no free connection to Tabscope. Wait, or reopen the tunnel.'
    case 511:
      return 'a network in between requires a login. Log in with a browser.'
    default:
      return status >= 500
        ? "its server is in trouble, or does not reach Tabscope. Wait, or look at the server's own log."
        : 'something in front of Tabscope responds instead. Check where the URL leads.'
  }
}

/** ngrok names what is wrong in a header of its own, as a code that can be looked up. */
function ngrokCode(answer: HttpAnswer): string {
  const code = headerOf(answer, 'ngrok-error-code')
  return code === null ? '' : ` ngrok calls it ${shownName(code)}.`
}

/** The title of a page, in brackets; empty where there is none. */
function titleOf(text: string): string {
  const title = /<title[^>]{0,200}>([^<]{1,300})/i.exec(text)?.[1]?.trim() ?? ''
  return title === '' ? '' : ` (${shownName(title.replaceAll(/\s+/g, ' '))})`
}

function headerOf({ headers }: HttpAnswer, name: string): string | null {
  return headers.find(([found]) => found.toLowerCase() === name)?.[1] ?? null
}
