import { useEffect, useRef, useState } from 'react'
import { CallError, sentence } from '../../platform/call-error.ts'

/** Bytes of a body: `offset` to `offset + length`, and the whole length in that form. */
export type ReadSlice = (slice: {
  offset: number
  length: number
  decoded: boolean
}) => Promise<{ bytes: Uint8Array; size: number }>

/** Bytes asked for first. */
const firstSlice = 256 * 1024
/** Bytes had more at each "load more". */
const step = 4 * 1024 * 1024
/** Bytes of one call: longer ones take so long to arrive that a frame is missed. */
const longestSlice = 1024 * 1024
/** Up to this size a body is fetched as a whole, where nothing else is said. */
export const wholeUpTo = 1024 * 1024

export interface Body {
  readonly phase: 'loading' | 'ready' | 'failed'
  /** What is here of it, from its beginning. */
  readonly bytes: Uint8Array
  /** The whole length in this form. */
  readonly size: number
  readonly message: string
  /** True when these are the bytes that the `Content-Encoding` undoes to. */
  readonly decoded: boolean
}

export interface BodySource {
  readonly body: Body
  /** True while a further slice is on its way. */
  readonly busy: boolean
  /** Why the decoded form, which was asked for first, cannot be had. */
  readonly undecodable: string | null
  readonly loadMore: () => void
  readonly setDecoded: (decoded: boolean) => void
  readonly retry: () => void
}

function nothing(decoded: boolean): Body {
  return { phase: 'loading', bytes: new Uint8Array(), size: 0, message: '', decoded }
}

interface Options {
  /** It came with a `Content-Encoding`, and is decoded first. */
  readonly encoded: boolean
  /** Bytes up to which it is fetched as a whole without being asked. */
  readonly whole?: number
}

/** A body in slices. `read` must be a stable function: another one is another body, for a component with another key. */
export function useBody(read: ReadSlice, { encoded, whole = wholeUpTo }: Options): BodySource {
  const [body, setBody] = useState<Body>(() => nothing(encoded))
  const [undecodable, setUndecodable] = useState<string | null>(null)
  /** What to have next: a new object is a new wish. */
  const [wish, setWish] = useState({ decoded: encoded, upTo: firstSlice })
  const [done, setDone] = useState<object | null>(null)
  const held = useRef(body)

  useEffect(() => {
    let current = true
    function show(next: Body): void {
      held.current = next
      setBody(next)
    }
    async function fetchUpTo(): Promise<void> {
      let have = held.current.decoded === wish.decoded ? held.current : nothing(wish.decoded)
      let limit = wish.upTo
      do {
        const { bytes, size } = await read({
          offset: have.bytes.length,
          length: Math.min(Math.max(limit - have.bytes.length, 1), longestSlice),
          decoded: wish.decoded,
        })
        if (!current) return
        if (size <= whole) limit = size
        have = { ...have, phase: 'ready', bytes: appended(have.bytes, bytes, size), size }
        // An empty slice is an end as well: never ask for ever.
        if (bytes.length === 0) break
      } while (have.bytes.length < Math.min(limit, have.size))
      show(have)
      setDone(wish)
    }
    fetchUpTo().catch((error: unknown) => {
      if (!current) return
      if (wish.decoded && error instanceof CallError && error.code === 'bad_input') {
        setUndecodable(error.message)
        setWish({ decoded: false, upTo: firstSlice })
      } else {
        show({ ...nothing(wish.decoded), phase: 'failed', message: sentence(error) })
        setDone(wish)
      }
    })
    return () => {
      current = false
    }
  }, [read, whole, wish])

  return {
    body,
    busy: done !== wish,
    undecodable,
    loadMore: () => setWish({ ...wish, upTo: body.bytes.length + step }),
    setDecoded: (decoded) => setWish({ decoded, upTo: firstSlice }),
    retry: () => setWish({ ...wish }),
  }
}

/** `before` with `more` behind it. One buffer of the whole `size` takes them all: joining anew each time would copy it all each time. */
function appended(before: Uint8Array, more: Uint8Array, size: number): Uint8Array {
  if (before.length === 0) return more
  const hasRoom = before.byteOffset === 0 && before.buffer.byteLength === size
  const all = hasRoom ? new Uint8Array(before.buffer) : new Uint8Array(size)
  if (!hasRoom) all.set(before)
  all.set(more, before.length)
  return all.subarray(0, before.length + more.length)
}
