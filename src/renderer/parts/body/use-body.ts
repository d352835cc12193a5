import { useEffect, useRef, useState } from 'react'
import { CallError } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { type BodyFacts, type BodyApi, createBodyModel } from './body-model.ts'
import { restoreNumbers } from './reading.ts'
import type { Header } from '#contract/models.ts'
import { type Calls, callHere, callWorker } from '#client/worker-calls.ts'

/** Reads the bytes of a body from `offset` to `offset + length`. `size`: its total length in that form. */
export type ReadSlice = (slice: {
  offset: number
  length: number
  decoded: boolean
}) => Promise<{ bytes: Uint8Array; size: number }>

/** Bytes of the first request. */
const firstSlice = 256 * 1024
/** Additional bytes for each "Load more". */
const step = 4 * 1024 * 1024
/** Maximum bytes of one call. Longer responses take so long to receive that a frame is missed. */
const longestSlice = 512 * 1024
export const loadCompletelyUpTo = 25 * 1024 * 1024

export interface Body {
  readonly phase: 'loading' | 'ready' | 'failed'
  /** The number of loaded bytes, from the start. */
  readonly held: number
  /** The total length in this form; 0 while unknown. */
  readonly size: number
  readonly message: string
  /** Whether the bytes are decoded from their `Content-Encoding`. */
  readonly decoded: boolean
  /** Facts about the body, and the model that serves its lines; null until it is ready. */
  readonly facts: BodyFacts | null
  readonly calls: BodyCalls | null
}

export type BodySource = ReturnType<typeof useBody>

function emptyBody(decoded: boolean): Body {
  return { phase: 'loading', held: 0, size: 0, message: '', decoded, facts: null, calls: null }
}

/** Loads a body in slices. `read` must be a stable function. Use a different component key for a different body. */
export function useBody(read: ReadSlice, { encoded }: { readonly encoded: boolean }) {
  const [body, setBody] = useState<Body>(() => emptyBody(encoded))
  const [undecodable, setUndecodable] = useState<string | null>(null)
  /** What to load next. Each new object is a new request. */
  const [request, setRequest] = useState({ decoded: encoded, upTo: firstSlice })
  const [done, setDone] = useState<object | null>(null)
  const held = useRef(body)

  // Close the worker with the component, even if a request is running.
  useEffect(
    () => () => {
      held.current.calls?.close()
      held.current = emptyBody(held.current.decoded)
    },
    [],
  )

  useEffect(() => {
    let current = true
    /** A body that is being loaded, until it is shown. */
    let loading: BodyCalls | null = null
    function show(next: Body): void {
      // The previous body stayed visible until now.
      if (held.current.calls !== next.calls) held.current.calls?.close()
      loading = null
      held.current = next
      setBody(next)
    }
    async function fetchUpTo(): Promise<void> {
      let have =
        held.current.decoded === request.decoded ? held.current : emptyBody(request.decoded)
      let limit = request.upTo
      do {
        const length = Math.min(Math.max(limit - have.held, 1), longestSlice)
        const { decoded } = request
        const { bytes, size } = await read({ offset: have.held, length, decoded })
        if (!current) return
        if (size <= loadCompletelyUpTo) limit = size
        const calls = have.calls ?? (loading = openBody(size))
        // The bytes are a view of the received frame: copy them, so that the copy can be transferred.
        const own = new Uint8Array(bytes)
        have = { ...have, held: have.held + own.length, size, calls }
        // An error here also occurs in `read`, which reports it.
        calls.call('add', own, [own.buffer]).catch(() => undefined)
        if (held.current.facts === null) setBody(have)
        // Stop at an empty slice as well, to avoid an endless loop.
        if (bytes.length === 0) break
      } while (have.held < Math.min(limit, have.size))
      const isComplete = have.held >= have.size
      const facts = await have.calls?.call('read', { isComplete, size: have.size })
      if (!current || !facts) return
      show({ ...have, phase: 'ready', facts: { ...facts, reading: restoreNumbers(facts.reading) } })
      setDone(request)
    }
    fetchUpTo().catch((error: unknown) => {
      if (!current) return
      if (request.decoded && error instanceof CallError && error.code === 'bad_input') {
        setUndecodable(error.message)
        setRequest({ decoded: false, upTo: firstSlice })
      } else {
        loading?.close()
        show({ ...emptyBody(request.decoded), phase: 'failed', message: messageOf(error) })
        setDone(request)
      }
    })
    return () => {
      current = false
      loading?.close()
    }
  }, [read, request])

  return {
    body,
    /** Whether another slice is being loaded. */
    busy: done !== request,
    /** The form requested last. The body changes once it is loaded. */
    decoded: request.decoded,
    /** Why decoding failed; null if it did not. */
    undecodable,
    loadMore: () => setRequest({ ...request, upTo: body.held + step }),
    setDecoded: (decoded: boolean) => setRequest({ decoded, upTo: firstSlice }),
    retry: () => setRequest({ ...request }),
  }
}

/** Whether a message with these headers has a content encoding to decode (RFC 9110, 8.4). */
export function isEncoded(headers: readonly Header[]): boolean {
  return headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'content-encoding' && value.trim().toLowerCase() !== 'identity',
  )
}

export type BodyCalls = Calls<BodyApi>

/** Bodies up to this many bytes are processed in the page, since starting a worker would take longer. */
const small = 256 * 1024

/** Opens the model of a body of this size. Fill it with `add`, then call `read`. */
export function openBody(size: number): BodyCalls {
  if (size <= small) return callHere(createBodyModel())
  return callWorker(new Worker(new URL('./body-worker.ts', import.meta.url), { type: 'module' }))
}
