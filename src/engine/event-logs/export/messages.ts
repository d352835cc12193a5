import type { Header } from '#contract/models.ts'
import type { WireError } from '#contract/errors.ts'
import type { LogWhat, LogWith } from '#contract/logs.ts'
import type { FieldChoice, KeptText, MaskedField } from '#contract/masking.ts'
import { AppError, fromWire } from '../../platform/errors.ts'
import { storageFailure } from '../../platform/storage-failure.ts'

/** `pieces`: to the caller, as fast as it consumes them. `count`: the bytes are only counted. */
export type ExportTo =
  | {
      readonly kind: 'file'
      readonly path: string
      /** Temporary name in the same folder, until the file is complete. */
      readonly part: string
      readonly overwrite: boolean
    }
  | { readonly kind: 'pieces' }
  | { readonly kind: 'count' }

/** The first message to an export thread. It contains secrets in clear text; nothing else in that thread does. */
export interface ExportTask {
  readonly storePath: string
  readonly what: LogWhat
  readonly with: LogWith
  readonly asOf: number
  readonly app: string
  readonly format: string
  readonly gzip: boolean
  readonly target: string
  /** URL of the built page that the `html` format uses. */
  readonly viewerPage: string
  /** By endpoint id, because the store holds their values sealed. Empty for an imported log. */
  readonly endpointHeaders: ReadonlyMap<number, Header[]>
  /** Null: nothing is redacted. `own`: the fields selected for this export only. `secrets` in clear text: they are masked even in fields to keep. */
  readonly redaction: {
    readonly own: readonly string[]
    readonly choices: readonly FieldChoice[]
    readonly secrets: readonly string[]
  } | null
  readonly to: ExportTo
  /** 1 once the export is cancelled. It is checked between two deliveries, where no message can be received. */
  readonly cancelled: SharedArrayBuffer
}

export type ToExport =
  | { readonly kind: 'begin'; readonly task: ExportTask }
  | { readonly kind: 'consumed'; readonly bytes: number }
  /** Wakes a waiting thread so that it sees that `cancelled` is set. */
  | { readonly kind: 'stop' }

export interface ExportProgress {
  readonly deliveries: number
  /** Null: not counted yet. */
  readonly total: number | null
  readonly rehearsals: number
  readonly bytes: number
  readonly removed: Readonly<Record<string, number>>
  /** Only for `count` exports. */
  readonly unknownFields: readonly string[]
  readonly fields: MaskedField[]
  readonly texts: KeptText[]
  /** Deliveries that are not in the search index yet. The export waits for them. */
  readonly unindexed: number
}

export type FromExport =
  /** The request is valid: the filter has been parsed and the output is open. */
  | { readonly kind: 'started' }
  | { readonly kind: 'progress'; readonly progress: ExportProgress }
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'done'; readonly progress: ExportProgress }
  | { readonly kind: 'cancelled' }
  /** `unforeseen`: the stack of an unexpected error. */
  | { readonly kind: 'failed'; readonly error: WireError | { readonly unforeseen: string } }

export function toFailure(error: unknown): Extract<FromExport, { kind: 'failed' }> {
  const known = error instanceof AppError ? error : storageFailure(error)
  if (known) return { kind: 'failed', error: known.toWire() }
  const unforeseen = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'failed', error: { unforeseen } }
}

export function fromFailure({ error }: Extract<FromExport, { kind: 'failed' }>): Error {
  return 'unforeseen' in error ? new Error(error.unforeseen) : fromWire(error)
}

/** Throws an `AbortError` once the caller has cancelled the export, which is not reported as an error. */
export function cancellation(shared: SharedArrayBuffer): () => void {
  const flag = new Int32Array(shared)
  return () => {
    if (Atomics.load(flag, 0) === 1) throw new DOMException('', 'AbortError')
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

export function cancel(shared: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(shared), 0, 1)
}
