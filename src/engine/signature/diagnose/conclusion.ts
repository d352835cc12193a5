import type { Verdict } from '#contract/models.ts'
import { factCauses } from './causes/facts.ts'
import { declared } from './outcomes.ts'
import type { Match } from './match.ts'
import type { Subject } from './subject.ts'

/** Up to this size the body of a valid delivery is written anew, to see what a careless handler would make of it. */
const smallBytes = 1024 * 1024

/** What is the matter, in a sentence or two. */
export function conclusionOf(
  subject: Subject,
  told: {
    readonly verdict: Verdict
    readonly secretName: string | null
    readonly match: Match | null
    readonly exhaustive: boolean
  },
): string {
  if (told.verdict === 'valid') return validConclusion(subject, told.secretName)
  const facts = factCauses.flatMap((cause) => {
    const state = cause.state(subject)
    return state === null ? [] : [{ ...cause, state }]
  })
  const [first] = facts
  if (told.match) {
    const titles = told.match.codes.map(
      (code) => declared.find((cause) => cause.code === code)?.title ?? code,
    )
    const known = first ? `${first.title}. ` : ''
    return titles.length === 1
      ? `${known}Found: ${small(titles[0] ?? '')}.`
      : `${known}Found, ${titles.length} things at once: ${titles.map(small).join('; ')}.`
  }
  if (first?.decides) return `${first.title}. ${first.state}`
  const hint = first ? ` But note: ${small(first.title)}.` : ''
  const part = told.exhaustive
    ? 'Nothing that was tried makes the signature that came.'
    : 'Nothing that was tried makes the signature that came; the body is so large that not everything could be tried.'
  return `${part}${hint} Most likely it was signed with a secret that is not known here: compare the secret on the dashboard with the one here, or try the dashboard’s on this delivery. If they are equal, have it sent another way, without the proxy or tunnel between, and look for what changes the bytes.`
}

function validConclusion(subject: Subject, secretName: string | null): string {
  const under =
    secretName === 'previous'
      ? 'The signature is right, under the previous secret: the signer does not use the new one yet.'
      : 'The signature is right: it is the HMAC-SHA256 of the very bytes that came.'
  return `${under} A handler that refuses this delivery checks it wrongly: it must take the raw bytes of the body, before any parsing.${rewritten(subject)}`
}

/** What JSON.stringify(JSON.parse(body)) makes of it, the commonest mistake of handlers. */
function rewritten({ body }: Subject): string {
  if (body.bytes.byteLength > smallBytes) return ''
  try {
    const text = body.bytes.toString('utf8')
    return JSON.stringify(JSON.parse(text)) === text
      ? ' Parsed and written anew by JSON.stringify this body is the same; others will not be.'
      : ' Parsed and written anew by JSON.stringify this body is another one, and its signature too.'
  } catch {
    return ''
  }
}

/** A title within a sentence. Names of things keep their capital. */
function small(title: string): string {
  return /^[A-Z][a-z]* /.test(title) ? title[0]?.toLowerCase() + title.slice(1) : title
}
