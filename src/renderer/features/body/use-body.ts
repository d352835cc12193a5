import { useEffect, useRef, useState } from 'react'
import { CallError, sentence } from '../../platform/call-error.ts'
import type { BodyFacts } from './body-model.ts'
import { type BodyCalls, openBody } from './open-body.ts'
import type { Header } from '#contract/models.ts'

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
const longestSlice = 512 * 1024
/** Up to this size a body is fetched and read as a whole. */
export const wholeUpTo = 25 * 1024 * 1024

export interface Body {
  readonly phase: 'loading' | 'ready' | 'failed'
  /** How many bytes are here, from its beginning. */
  readonly held: number
  /** The whole length in this form; 0 while it is not known. */
  readonly size: number
  readonly message: string
  /** True when these are the bytes that the `Content-Encoding` undoes to. */
  readonly decoded: boolean
  /** What it is, and who is asked for its lines; null until it is ready. */
  readonly facts: BodyFacts | null
  readonly calls: BodyCalls | null
}

export interface BodySource {
  readonly body: Body
  /** True while a further slice is on its way. */
  readonly busy: boolean
  /** The form that was asked for last: the body follows once it is here. */
  readonly decoded: boolean
  /** Why the decoded form, which was asked for first, cannot be had. */
  readonly undecodable: string | null
  readonly loadMore: () => void
  readonly setDecoded: (decoded: boolean) => void
  readonly retry: () => void
}

function nothing(decoded: boolean): Body {
  return {
    phase: 'loading',
    held: 0,
    size: 0,
    message: '',
    decoded,
    facts: null,
    calls: null,
  }
}

/** A body in slices. `read` must be a stable function: another one is another body, for a component with another key. */
export function useBody(read: ReadSlice, { encoded }: { readonly encoded: boolean }): BodySource {
  const [body, setBody] = useState<Body>(() => nothing(encoded))
  const [undecodable, setUndecodable] = useState<string | null>(null)
  /** What to have next: a new object is a new wish. */
  const [wish, setWish] = useState({ decoded: encoded, upTo: firstSlice })
  const [done, setDone] = useState<object | null>(null)
  const held = useRef(body)

  // Its worker ends with the component, whatever is under way.
  useEffect(
    () => () => {
      held.current.calls?.close()
      held.current = nothing(held.current.decoded)
    },
    [],
  )

  useEffect(() => {
    let current = true
    /** A body that is being filled, until it is shown. */
    let fresh: BodyCalls | null = null
    function show(next: Body): void {
      // The one before stays until now: what can be read stays in sight.
      if (held.current.calls !== next.calls) held.current.calls?.close()
      fresh = null
      held.current = next
      setBody(next)
    }
    async function fetchUpTo(): Promise<void> {
      let have = held.current.decoded === wish.decoded ? held.current : nothing(wish.decoded)
      let limit = wish.upTo
      do {
        const { bytes, size } = await read({
          offset: have.held,
          length: Math.min(Math.max(limit - have.held, 1), longestSlice),
          decoded: wish.decoded,
        })
        if (!current) return
        if (size <= wholeUpTo) limit = size
        const calls = have.calls ?? (fresh = openBody(size))
        // What came is a view of its frame: its own bytes are given away, and nothing of them stays here.
        const own = new Uint8Array(bytes)
        have = { ...have, held: have.held + own.length, size, calls }
        // What goes wrong here goes wrong in `read` as well, which says so.
        calls.call('add', own, [own.buffer]).catch(() => undefined)
        if (held.current.facts === null) setBody(have)
        // An empty slice is an end as well: never ask for ever.
        if (bytes.length === 0) break
      } while (have.held < Math.min(limit, have.size))
      const whole = have.held >= have.size
      const facts = await have.calls?.call('read', { whole, size: have.size })
      if (!current || !facts) return
      show({ ...have, phase: 'ready', facts })
      setDone(wish)
    }
    fetchUpTo().catch((error: unknown) => {
      if (!current) return
      if (wish.decoded && error instanceof CallError && error.code === 'bad_input') {
        setUndecodable(error.message)
        setWish({ decoded: false, upTo: firstSlice })
      } else {
        fresh?.close()
        show({ ...nothing(wish.decoded), phase: 'failed', message: sentence(error) })
        setDone(wish)
      }
    })
    return () => {
      current = false
      fresh?.close()
    }
  }, [read, wish])

  return {
    body,
    busy: done !== wish,
    decoded: wish.decoded,
    undecodable,
    loadMore: () => setWish({ ...wish, upTo: body.held + step }),
    setDecoded: (decoded) => setWish({ decoded, upTo: firstSlice }),
    retry: () => setWish({ ...wish }),
  }
}

/** Whether what came with these headers has a content encoding to be undone (RFC 9110, 8.4). */
export function isEncoded(headers: readonly Header[]): boolean {
  return headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'content-encoding' && value.trim().toLowerCase() !== 'identity',
  )
}
