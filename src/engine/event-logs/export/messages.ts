import type { Header } from '#contract/models.ts'
import type { WireError } from '#contract/errors.ts'
import type { LogWhat, LogWith, Removal } from '#contract/logs.ts'
import type { RedactorOptions } from '../redact/redactor.ts'

/** Where the bytes of an export go. `pieces`: to whoever began it, as fast as they are taken; `count`: nowhere. */
export type ExportTo =
  | {
      readonly kind: 'file'
      /** Its final name, absolute. */
      readonly path: string
      /** Its name until it is whole, in the same folder. */
      readonly part: string
      readonly overwrite: boolean
    }
  | { readonly kind: 'pieces' }
  | { readonly kind: 'count' }

/** What the thread of an export is told first. Secrets in clear text are in it, and nowhere else in that thread. */
export interface ExportOrder {
  readonly storePath: string
  readonly what: LogWhat
  readonly with: LogWith
  /** Milliseconds since the epoch. */
  readonly asOf: number
  readonly app: string
  readonly format: string
  readonly gzip: boolean
  readonly target: string
  /** Address of the built page of the `html` format. */
  readonly viewerPage: string
  /** Custom headers of the live store's endpoints, by id: there their values are sealed. Empty for an imported log. */
  readonly endpointHeaders: ReadonlyMap<number, Header[]>
  /** Null: nothing is taken out. `customHeaders` are those that are configured now; the store's own are added. */
  readonly redaction: Omit<RedactorOptions, 'handles'> | null
  readonly to: ExportTo
  /** One number: 1 as soon as it is to end. Read between two deliveries, where no message can be. */
  readonly cancelled: SharedArrayBuffer
}

export type ToExport =
  | { readonly kind: 'begin'; readonly order: ExportOrder }
  /** So many bytes of pieces were taken. */
  | { readonly kind: 'taken'; readonly bytes: number }
  /** Go on until then, in milliseconds as `performance.timeOrigin + performance.now()` tells them. Never told: without end. */
  | { readonly kind: 'until'; readonly at: number }
  /** `cancelled` is set. */
  | { readonly kind: 'stop' }

/** How far it is. */
export interface ExportProgress {
  readonly deliveries: number
  /** Null: not counted yet. */
  readonly total: number | null
  /** Of the file. */
  readonly bytes: number
  readonly removed: Readonly<Record<string, number>>
  /** Only where nothing is written. */
  readonly removals: Removal[]
  /** Deliveries that the search index has still to take in before it can begin. */
  readonly behind: number
}

export type FromExport =
  /** What was asked for can be done: the filter can be read, and the file is open. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'progress'; readonly told: ExportProgress }
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'done'; readonly told: ExportProgress }
  | { readonly kind: 'cancelled' }
  /** `unforeseen`: a fault of ours, with its stack. */
  | { readonly kind: 'failed'; readonly error: WireError | { readonly unforeseen: string } }

/** Whoever began it has ended it. No error: nobody is told. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Throws `Cancelled` once the one number of the buffer is 1. */
export function cancellation(shared: SharedArrayBuffer): () => void {
  const flag = new Int32Array(shared)
  return () => {
    if (Atomics.load(flag, 0) === 1) throw new Cancelled()
  }
}

/** Seen by `cancellation` in another thread at once. */
export function cancel(shared: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(shared), 0, 1)
}
