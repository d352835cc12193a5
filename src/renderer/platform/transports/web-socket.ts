import { decode, encode } from '@msgpack/msgpack'
import type { Transport } from '../transport.ts'
import { hostFrame } from '../transport.ts'

const tokenKey = 'tabscope.token'
const firstRetry = 200
const longestRetry = 5000

/**
 * The launch token: from the address bar on first sight, from then on out of this tab's session storage,
 * so that it stays out of the history, of screenshots and of what people paste.
 */
function takeToken(page: Window): string | null {
  const fromHash = new URLSearchParams(page.location.hash.slice(1)).get('token')
  if (fromHash === null) return page.sessionStorage.getItem(tokenKey)
  page.sessionStorage.setItem(tokenKey, fromHash)
  page.history.replaceState(null, '', page.location.pathname + page.location.search)
  return fromHash
}

/** Frames as MessagePack over `/wire` of the host that served the page; tries again after 0.2 to 5 s. */
export function webSocketTransport(page: Window): Transport {
  return (events) => {
    const token = takeToken(page)
    const address = new URL('/wire', page.location.href)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    let socket: WebSocket | null = null
    let timer = 0
    let delay = firstRetry
    let ended = false

    function open(): void {
      const opening = new WebSocket(
        address,
        token === null ? ['tabscope'] : ['tabscope', `token.${token}`],
      )
      socket = opening
      opening.binaryType = 'arraybuffer'
      opening.addEventListener('open', () => {
        delay = firstRetry
        // Undefined keys are left out, as structured clone's receivers would see them: absent, not null.
        events.opened((frame) => {
          if (opening.readyState === WebSocket.OPEN) {
            opening.send(encode(frame, { ignoreUndefined: true }))
          }
        })
      })
      opening.addEventListener('message', ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return
        const frame = hostFrame(decode(new Uint8Array(data)))
        if (frame) events.received(frame)
      })
      opening.addEventListener('close', () => {
        if (ended) return
        events.closed(delay)
        timer = page.setTimeout(open, delay)
        delay = Math.min(delay * 2, longestRetry)
      })
    }

    open()
    return () => {
      ended = true
      page.clearTimeout(timer)
      socket?.close()
    }
  }
}
