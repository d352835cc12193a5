import type { DraftContent, DraftProblem } from '#contract/compose.ts'
import type { EndpointRoute } from '../../capture/messages.ts'
import type { Captured } from '../../store/captured.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import type { DeliveryNames } from './names.ts'

/** A draft while it is made ready: filled in, and read. */
export interface Composing {
  readonly content: DraftContent
  /** The delivery that it comes from; null: none, or it is gone. */
  readonly captured: Captured | null
  readonly endpoint: EndpointRoute | null
  /** Under the brand that counts. */
  readonly names: DeliveryNames
  /** Null: it cannot be read. */
  readonly url: URL | null
  /** Of its headers, filled in. */
  readonly values: readonly string[]
  readonly body: Uint8Array
  readonly bodyUnchanged: boolean
  /** It goes out as whom it came: then what depends on the endpoint is as captured, while the body is. */
  readonly sameEndpoint: boolean
  readonly world: SenderConfiguration
}

type Field = DraftProblem['field']

export function problem(
  severity: DraftProblem['severity'],
  code: string,
  field: Field,
  message: string,
  header: number | null = null,
): DraftProblem {
  return { code, severity, field, header, message }
}
