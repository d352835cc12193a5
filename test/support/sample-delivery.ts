import { describeFindings } from '#catalogue/findings.ts'
import { headerName } from '#catalogue/headers.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { Arrival, Header } from '#contract/models.ts'
import { inspect, type InspectedRequest } from '#engine/payload/inspect.ts'
import { inspectedEndpoint, type InspectedEndpoint } from '#engine/payload/endpoint.ts'
import { seeded } from '#sandbox/random.ts'
import { compose } from '#sandbox/request.ts'
import { samplePayload, sampleSource } from '#sandbox/steps.ts'
import { sign } from './requests.ts'

/** A value that tests must not find in output. */
export const customValue = 'credential-4711-of-the-endpoint'

export interface SampleSettings {
  readonly brand: string
  readonly applicationId: string
  readonly customHeaders: readonly Header[]
  readonly secret: string | null
}

export const sampleSettings: SampleSettings = {
  brand: 'Acme',
  applicationId: 'app-1',
  customHeaders: [],
  secret: 'now',
}

type Fields = Record<string, unknown>

export interface Edits {
  /** Edits the payload before body and headers are built. */
  readonly payload?: (payload: Fields, data: Fields) => void
  /** Body to send and sign instead. Headers are built from the payload. */
  readonly body?: (text: string) => string | Uint8Array
  readonly headers?: (headers: readonly Header[]) => readonly Header[]
  readonly method?: string
  readonly arrival?: Arrival
  readonly settings?: Partial<SampleSettings>
  /** True: the path belongs to no endpoint. */
  readonly lost?: boolean
}

export interface SampleDelivery extends InspectedRequest {
  readonly endpoint: InspectedEndpoint | null
  readonly settings: SampleSettings
  readonly headers: readonly Header[]
}

/** A delivery built by the sandbox from the catalogue's sample of a type, with edits. */
export function sampleDelivery(type: string, edits: Edits = {}): SampleDelivery {
  const settings = { ...sampleSettings, ...edits.settings }
  const source = sampleSource(seeded(7), settings.brand, new Date('2026-03-14T21:09:00.123Z'))
  const sample: Fields = structuredClone({ ...samplePayload(type, source) })
  edits.payload?.(sample, dataOf(sample))
  return deliveryOf(sample, { ...edits, settings })
}

export function deliveryOf(payload: Payload, edits: Edits = {}): SampleDelivery {
  const settings = { ...sampleSettings, ...edits.settings }
  const target = { ...settings, url: 'http://127.0.0.1:4780/hooks/main' }
  const first = compose(target, payload)
  const body = Buffer.from(edits.body?.(first.body.toString('utf8')) ?? first.body)
  const composed = first.headers.map(([name, value]): Header => {
    if (name === 'Content-Length') return [name, String(body.byteLength)]
    const isSignature = name === headerName(settings.brand, 'signature')
    return [name, isSignature ? sign(body, settings.secret ?? '') : value]
  })
  const headers = edits.headers?.(composed) ?? composed
  return {
    method: edits.method ?? 'POST',
    arrival: edits.arrival ?? 'complete',
    body,
    rawHeaders: headers.flat(),
    headers: headers.map(([name, value]) => [name, value]),
    settings,
    endpoint: edits.lost ? null : endpointOf(settings),
  }
}

export function endpointOf(settings: SampleSettings): InspectedEndpoint {
  const { secret, ...rest } = settings
  const secrets = secret === null ? [] : [{ name: 'current', secret }]
  return inspectedEndpoint({ id: 1, name: 'Main', ...rest, secrets })
}

export function findingsIn(delivery: SampleDelivery) {
  return describeFindings(inspect(delivery, delivery.endpoint, delivery.settings.brand))
}

export const without =
  (...names: string[]) =>
  (headers: readonly Header[]): readonly Header[] =>
    headers.filter(([name]) => !names.includes(name.toLowerCase()))

export const changed =
  (changedName: string, value: string) =>
  (headers: readonly Header[]): readonly Header[] =>
    headers.map(([name, before]) => [name, name.toLowerCase() === changedName ? value : before])

export const added =
  (name: string, value: string) =>
  (headers: readonly Header[]): readonly Header[] => [...headers, [name, value]]

function dataOf(sample: Fields): Fields {
  const { data } = sample
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `data` is an object in all samples of the catalogue
  return data as Fields
}
