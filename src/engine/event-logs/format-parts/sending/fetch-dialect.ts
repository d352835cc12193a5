import { hiddenCharacters, visible } from '#shared/text/visible.ts'
import { base64Of, exactText } from '../text.ts'
import { namesOf, type Replay, type Dialect } from '../script.ts'

/** Longer text is no easier to read than Base64, in bytes. */
const longestText = 256 * 1024

/** A browser leaves these out (https://fetch.spec.whatwg.org/#forbidden-request-header); Node sends them. */
const forbidden =
  /^(?:accept-charset|accept-encoding|access-control-request-(?:headers|method|private-network)|cookie2?|date|dnt|origin|referer|set-cookie|via|proxy-.*|sec-.*)$/i

/** What each request is sent with. */
const sendFunction = `
async function send(id, method, url, headers, body) {
  try {
    const answer = await fetch(url, { method, headers, body, redirect: 'manual' })
    await answer.arrayBuffer()
    console.log(\`Delivery \${id}: \${answer.status}\`)
  } catch (error) {
    console.error(\`Delivery \${id}: \${error.cause?.message ?? error.message}\`)
    process.exitCode = 1
  }
}
`

/** A module for Node 20 or newer. */
export const fetchDialect: Dialect = {
  comment: (text) => `// ${visible(text)}`,
  opening: [],
  usage: [
    'A module: run it with Node 20 or newer.',
    'fetch adds headers of its own: Accept, Accept-Language, Sec-Fetch-Mode, User-Agent and Accept-Encoding where they are missing.',
  ],
  prologue: sendFunction,
  pathCharacters: '',
  fault: faultOfFetch,
  remarks: remarksOfFetch,
  request: fetchRequest,
}

function faultOfFetch({ method, body }: Replay): string | null {
  if (/^(?:connect|trace|track)$/i.test(method)) return `fetch does not send ${method}.`
  if (/^(?:get|head)$/i.test(method) && body.byteLength > 0) {
    return `fetch sends no body with ${method}.`
  }
  return null
}

function remarksOfFetch({ headers, url }: Replay): string[] {
  const remarks: string[] = []
  const held = headers.filter(([name]) => forbidden.test(name))
  if (held.length > 0) remarks.push(`A browser would leave out: ${namesOf(held)}`)
  const names = headers.map(([name]) => name.toLowerCase())
  if (new Set(names).size < names.length) {
    remarks.push('fetch joins headers of the same name to one.')
  }
  if (URL.canParse(url) && new URL(url).href !== url) {
    remarks.push(`fetch makes of its address: ${new URL(url).href}`)
  }
  return remarks
}

function* fetchRequest(replay: Replay): Generator<string, void, undefined> {
  const { id, method, url, headers, body } = replay
  const pairs = headers.map(([name, value]) => `  [${literal(name)}, ${literal(value)}],\n`)
  yield `await send(${id}, ${literal(method)}, ${literal(url)}, [\n${pairs.join('')}], `
  const text = body.byteLength <= longestText ? exactText(body) : null
  // Bytes, not a string: to a string fetch would add a type.
  if (body.byteLength === 0) yield 'null'
  else if (text !== null) yield `new TextEncoder().encode(${literal(text)})`
  else yield `new Uint8Array(Buffer.from('${base64Of(body)}', 'base64'))`
  yield ')\n'
}

/** A string of JavaScript in which nothing is hidden. */
function literal(text: string): string {
  return JSON.stringify(text).replace(hiddenCharacters, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
