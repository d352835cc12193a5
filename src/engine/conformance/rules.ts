import { eventTypes } from '#catalogue/catalogue.ts'
import type { EventType } from '#catalogue/define.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { Header } from '#contract/models.ts'
import { isObject } from '../capture/json-object.ts'
import type { ParsedObject } from '../capture/parse-text.ts'
import { checkCustomHeaders } from './custom-headers.ts'
import { dataRules } from './data-fields.ts'
import type { Departures } from './departures.ts'
import { checkDuplicateKeys } from './duplicate-keys.ts'
import { checkFields, type FieldRules } from './fields.ts'
import { checkEventHeaders, checkSender, headerRules, type HeaderRules } from './header-rules.ts'
import { commonRules, commonRulesWithoutData } from './payload-fields.ts'
import { planHeaders, type ReceivedHeaders } from './received-headers.ts'
import { checkTargets } from './targets.ts'

interface TypeRules {
  readonly eventType: EventType
  readonly common: FieldRules
  readonly data: FieldRules
}

/** All that deliveries to one endpoint are held against, made once. */
export interface EndpointRules {
  readonly headers: HeaderRules
  readonly types: ReadonlyMap<string, TypeRules>
}

/** What of an endpoint's settings counts for conformance. */
export interface EndpointSettings {
  readonly brand: string
  /** Empty: any. */
  readonly applicationId: string
  readonly customHeaders: readonly Header[]
}

export function compileRules(settings: EndpointSettings): EndpointRules {
  const { brand, applicationId, customHeaders } = settings
  return {
    headers: headerRules(planHeaders(brand, customHeaders), brand, applicationId),
    types: new Map(
      eventTypes.map((eventType) => [
        eventType.type,
        {
          eventType,
          common: eventType.hasData === 'contradictory' ? commonRulesWithoutData : commonRules,
          data: dataRules(eventType, brand),
        },
      ]),
    ),
  }
}

/** Holds the headers of a whole request against the endpoint's rules; `payload` is null where the body is no object. */
export function checkHeaders(
  { headers }: EndpointRules,
  received: ReceivedHeaders,
  payload: Payload | null,
  departures: Departures,
): void {
  if (payload) checkEventHeaders(headers, payload, received, departures)
  checkSender(headers, received, departures)
  checkCustomHeaders(headers.plan.custom, received, departures)
}

/** Holds a whole body against the document. For a type that the document does not know, only the common rules count. */
export function checkBody(
  { types }: EndpointRules,
  { payload, text }: ParsedObject,
  departures: Departures,
): void {
  const { type, data } = payload
  const rules = typeof type === 'string' ? types.get(type) : undefined
  checkDuplicateKeys(text, payload, departures)
  checkFields(payload, rules?.common ?? commonRules, departures)
  if (!rules) {
    if (typeof type === 'string') {
      departures.add(
        'payload.unknown_type',
        'body.type',
        'The document does not know this event type, so nothing is said of its data.',
        { actual: type },
      )
    }
    return
  }
  checkTargets(rules.eventType, payload, departures)
  if (isObject(data)) checkFields(data, rules.data, departures)
}
