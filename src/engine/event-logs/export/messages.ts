import type { Header } from '#contract/models.ts'
import type { LogWhat, LogWith } from '#contract/logs.ts'
import type { FieldChoice, KeptText, MaskedField } from '#contract/masking.ts'

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

/** It contains secrets in clear text; nothing else in the thread of an export does. */
export interface ExportTask {
  readonly storePath: string
  readonly what: LogWhat
  readonly with: LogWith
  readonly asOf: number
  readonly app: string
  readonly format: string
  readonly gzip: boolean
  readonly target: string
  /** By endpoint id, because the store holds their values sealed. Empty for an imported log. */
  readonly endpointHeaders: ReadonlyMap<number, Header[]>
  /** Null: nothing is redacted. `own`: the fields selected for this export only. `secrets` in clear text: they are masked even in fields to keep. */
  readonly redaction: {
    readonly own: readonly string[]
    readonly choices: readonly FieldChoice[]
    readonly secrets: readonly string[]
  } | null
  readonly to: ExportTo
}

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

export type ExportShape = {
  input: ExportTask
  output: ExportProgress
  reports: {
    /** The request is valid: the filter has been parsed and the output is open. */
    started: () => void
    progress: (progress: ExportProgress) => void
    /** Resolves when the piece is consumed. */
    piece: (bytes: Uint8Array) => Promise<void>
  }
  calls: Record<string, never>
}
