import { hiddenCharacters, escapeControls } from '#shared/text/visible.ts'
import { base64Of, exactText } from '../format-parts/text.ts'
import { headerNames, type Replay, type Dialect, scriptFormat } from '../format-parts/script.ts'

/** Longer text is not readable anyway, so it is written as Base64. */
const maxTextBytes = 256 * 1024

/** A browser removes these (https://fetch.spec.whatwg.org/#forbidden-request-header), Node sends them. */
const forbiddenHeaders =
  /^(?:accept-charset|accept-encoding|access-control-request-(?:headers|method|private-network)|cookie2?|date|dnt|origin|referer|set-cookie|via|proxy-.*|sec-.*)$/i

const sendFunction = `
async function send(id, method, url, headers, body) {
  try {
    const response = await fetch(url, { method, headers, body, redirect: 'manual' })
    await response.arrayBuffer()
    console.log(\`Delivery \${id}: \${response.status}\`)
  } catch (error) {
    console.error(\`Delivery \${id}: \${error.cause?.message ?? error.message}\`)
    process.exitCode = 1
  }
}
`

/** A module for Node 20 or newer. */
const fetchDialect: Dialect = {
  comment: (text) => `// ${escapeControls(text)}`,
  opening: [],
  usage: [
    'A module: run it with Node 20 or newer.',
    'fetch adds Accept, Accept-Language, Sec-Fetch-Mode, User-Agent and Accept-Encoding if they are missing.',
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
  const removedHeaders = headers.filter(([name]) => forbiddenHeaders.test(name))
  if (removedHeaders.length > 0)
    remarks.push(`A browser would leave out: ${headerNames(removedHeaders)}`)
  const names = headers.map(([name]) => name.toLowerCase())
  if (new Set(names).size < names.length) {
    remarks.push('fetch combines headers with the same name.')
  }
  if (URL.canParse(url) && new URL(url).href !== url) {
    remarks.push(`fetch changes its address to: ${new URL(url).href}`)
  }
  return remarks
}

function* fetchRequest(replay: Replay): Generator<string, void, undefined> {
  const { id, method, url, headers, body } = replay
  const pairs = headers.map(([name, value]) => `  [${literal(name)}, ${literal(value)}],\n`)
  yield `await send(${id}, ${literal(method)}, ${literal(url)}, [\n${pairs.join('')}], `
  const text = body.byteLength <= maxTextBytes ? exactText(body) : null
  // Bytes, because for a string fetch adds a Content-Type.
  if (body.byteLength === 0) yield 'null'
  else if (text !== null) yield `new TextEncoder().encode(${literal(text)})`
  else yield `new Uint8Array(Buffer.from('${base64Of(body)}', 'base64'))`
  yield ')\n'
}

function literal(text: string): string {
  return JSON.stringify(text).replace(hiddenCharacters, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

export default scriptFormat(fetchDialect, {
  id: 'fetch',
  label: 'fetch module',
  description:
    'A JavaScript module for Node 20 or newer that sends each delivery again with fetch, its bytes as captured.',
  extension: 'mjs',
  mediaType: 'text/javascript; charset=utf-8',
})
